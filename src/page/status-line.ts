// What was found, in a sentence that is read aloud, and on paper what was filtered.
import type { Context } from './context.ts'
import type { Found } from './conversations.ts'
import { describeFilter } from './describe-filter.ts'
import { element, showIn } from './element.ts'
import { isEmpty, takes } from './filter.ts'
import type { Chosen } from './finder.ts'
import { countQuestions } from './question-count.ts'
import { fill } from './words.ts'

export interface StatusLine {
  readonly elements: readonly HTMLElement[]
  /** `isAllRead`: whether the search has seen all texts. */
  readonly say: (found: readonly Found[], chosen: Chosen, isAllRead: boolean) => void
}

export function statusLine({ speech, store: { rows }, marks }: Context): StatusLine {
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
      // What was marked since stays where it stands; the menus do not count it any more.
      const left = countQuestions(
        places.flatMap((place) => {
          const row = rows[place]
          return row !== undefined && takes(filter, row, marks.at(place)) ? [row] : []
        }),
      )
      const isPartial = filter.search !== undefined && !isAllRead
      const sentences = [
        told,
        ...(count === 0 ? [words.nothing] : []),
        ...(left < count ? [plural(words.stillMatch, left)] : []),
        ...(isPartial ? [words.stillReading] : []),
      ].join(' ')
      // The same again would be read aloud again.
      if (status.textContent !== sentences) showIn(status, sentences)
      showIn(paper, !isEmpty(filter) && fill(words.filteredBy, { filters: describeFilter(filter, speech) }))
    },
  }
}
