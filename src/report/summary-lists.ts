// The lists of `summary.md` that take some wording: gaps by what they are about, questions that waver.
import type { GapCluster, QuestionCounts } from '../domain/summary.ts'
import type { RepeatedQuestion } from '../domain/repeats.ts'
import { bold, plain, type FoldedList } from './markdown.ts'
import { digits, plural } from '../domain/text.ts'
import { percent } from './numbers.ts'

const MOST_QUESTIONS = 3

/** Each is a candidate for an article. */
export function gapList(
  gaps: readonly GapCluster[],
  { gaps: all, clustered }: Pick<QuestionCounts, 'gaps' | 'clustered'>,
): FoldedList {
  return {
    title:
      clustered < all
        ? `Gaps in the knowledge base: topics of ${digits(clustered)} of ${plural(all, 'question')}, those that weigh most`
        : 'Gaps in the knowledge base',
    count: gaps.length,
    where: 'results.csv',
    items: gaps.map(({ name, questions }) => {
      const left = questions.length - MOST_QUESTIONS
      return [
        `- ${bold(name, 80)} (${plural(questions.length, 'question')})`,
        ...questions
          .slice(0, MOST_QUESTIONS)
          .map(({ id, message }) => `  - ${plain(id, 60)}: ${plain(message, 150)}`),
        ...(left > 0 ? [`  - and ${digits(left)} more`] : []),
      ]
    }),
  }
}

export function flakyList(questions: readonly RepeatedQuestion[], count: number): FoldedList {
  return {
    title: 'Flaky questions',
    count,
    where: 'results.csv',
    items: questions.map(({ id, asked, answered, passRate, groundingRate, agreement }) => {
      const facts = [
        ...(passRate === null ? [] : [`passed ${percent(passRate)}`]),
        ...(groundingRate === null ? [] : [`from the knowledge base ${percent(groundingRate)}`]),
        ...(agreement === null ? [] : [`its answers agree by ${percent(agreement)}`]),
      ]
      const what = facts.length === 0 ? 'the answers differ' : facts.join(', ')
      return [`- ${bold(id, 60)} ${what} (asked ${plural(asked, 'time')}, ${digits(answered)} answered)`]
    }),
  }
}
