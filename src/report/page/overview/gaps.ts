// The worklist of the knowledge base's editor: what no article answered, by what it is about, most asked first.
import type { GapCluster, QuestionCounts, Coverage } from '../../../domain/summary.ts'
import { digits } from '../../../domain/text.ts'
import { shorten } from '../../visible.ts'
import { html, type SafeHtml } from '../html.ts'
import { questionId, questionLink } from './links.ts'
import { foldedList, MOST_ITEMS, paragraph, section } from './parts.ts'
import { WORDS } from './words.ts'

const SHOWN_AT_ONCE = 10
const MOST_QUESTIONS = 4

export function gapSection(
  gaps: readonly GapCluster[],
  counts: QuestionCounts,
  coverage: Coverage,
): SafeHtml {
  const words = WORDS.gaps
  const topics = gaps.length
  if (topics === 0) return section({ id: 'gaps', title: WORDS.sections.gaps }, paragraph(noGaps(coverage)))
  const { uncovered } = counts
  return section(
    { id: 'gaps', title: `${WORDS.sections.gaps} (${digits(counts.gaps)})` },
    html`${paragraph(words.lead(counts, topics))}${
      uncovered === 0 ? '' : paragraph(words.uncovered(uncovered))
    }${foldedList({
      items: gaps.slice(0, MOST_ITEMS).map(gapItem),
      count: topics,
      shownAtOnce: SHOWN_AT_ONCE,
      rest: { list: 'gap', words: words.all(counts.gaps, uncovered) },
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
