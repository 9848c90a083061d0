// The worklist of the knowledge base's editor: what no article answered, by what it is about, most asked first.
import type { GapCluster } from '../../../domain/gap.ts'
import type { Coverage } from '../../../domain/summary.ts'
import { shorten } from '../../visible.ts'
import { html, type SafeHtml } from '../html.ts'
import { questionId, questionLink } from './links.ts'
import { foldedList, MOST_ITEMS, paragraph, section } from './parts.ts'
import { WORDS } from './words.ts'

const SHOWN_AT_ONCE = 10
const MOST_QUESTIONS = 4

export interface GapCounts {
  readonly questions: number
  readonly topics: number
}

export const countGaps = (gaps: readonly GapCluster[]): GapCounts => ({
  questions: gaps.reduce((sum, { questions }) => sum + questions.length, 0),
  topics: gaps.length,
})

export function gapSection(gaps: readonly GapCluster[], coverage: Coverage): SafeHtml {
  const words = WORDS.gaps
  const part = { id: 'gaps', title: WORDS.sections.gaps }
  const { questions, topics } = countGaps(gaps)
  if (topics === 0) return section(part, paragraph(noGaps(coverage)))
  return section(
    part,
    html`${paragraph(words.lead(questions, topics))}${foldedList({
      items: gaps.slice(0, MOST_ITEMS).map(gapItem),
      count: topics,
      shownAtOnce: SHOWN_AT_ONCE,
      rest: { list: 'gap' },
      isOrdered: true,
    })}`,
  )
}

function noGaps({ answered, grounded }: Coverage): string {
  if (answered === 0) return WORDS.gaps.noneKnown
  return answered === grounded ? WORDS.gaps.none : WORDS.gaps.noneMissing
}

function gapItem({ name, questions }: GapCluster): SafeHtml {
  const left = questions.length - MOST_QUESTIONS
  return html`<b dir="auto">${shorten(name, 120)}</b> <small>(${WORDS.gaps.size(questions.length)})</small>
    <ul class="under">
      ${questions.slice(0, MOST_QUESTIONS).map(({ id, message }) => html`<li>${questionLink(id, message)} ${questionId(id)}</li>`)}${
        left > 0 ? html`<li>${WORDS.gaps.further(left)}</li>` : ''
      }
    </ul>`
}
