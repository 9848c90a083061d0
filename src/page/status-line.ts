// What was found, in a sentence that is read aloud, and on paper what was filtered.
import type { Context } from './context.ts'
import type { Found } from './conversations.ts'
import { describeFilter } from './describe-filter.ts'
import { element, showIn } from './element.ts'
import { isEmpty } from './filter.ts'
import type { Chosen } from './finder.ts'
import { countQuestions } from './question-count.ts'
import { fill } from './words.ts'

export interface StatusLine {
  readonly elements: readonly HTMLElement[]
  /** `isAllRead`: whether the search has seen all texts. */
  readonly say: (found: readonly Found[], chosen: Chosen, isAllRead: boolean) => void
}

export function statusLine({ speech, store: { rows } }: Context): StatusLine {
  const { words, plural, number } = speech
  const status = element('p', { role: 'status', class: 'status' })
  const paper = element('p', { class: 'paper' })
  const total = number(countQuestions(rows))
  return {
    elements: [status, paper],
    say: (found, { filter }, isAllRead) => {
      const places = found.flatMap((one) => one.places)
      const count = countQuestions(places.flatMap((place) => rows[place] ?? []))
      const told = plural(words.found, count, {
        total,
        turns: places.length === count ? '' : plural(words.foundTurns, places.length),
        conversations: plural(words.conversationCount, found.length),
      })
      const isPartial = filter.search !== undefined && !isAllRead
      showIn(
        status,
        `${told}${count === 0 ? ` ${words.nothing}` : ''}${isPartial ? ` ${words.stillReading}` : ''}`,
      )
      showIn(paper, !isEmpty(filter) && fill(words.filteredBy, { filters: describeFilter(filter, speech) }))
    },
  }
}
