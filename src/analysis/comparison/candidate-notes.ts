// What a reader of a comparison should know of one candidate beside its figures.
import { digits } from '../../domain/text.ts'
import type { ComparedRunFacts, ComparisonOptions } from '../../domain/comparison/comparison.ts'
import type { RunReview } from './review-runs.ts'

interface Noted {
  /** Place in `runs`. */
  readonly run: number
  readonly review: RunReview
  readonly expectationsEdited: number
  readonly failing: { readonly candidate: ReadonlySet<string> }
}

/** In sentences of any length; labels in them are still as they came. */
export function notesOf(
  { review, run, expectationsEdited, failing }: Noted,
  runs: readonly ComparedRunFacts[],
  { failOn }: ComparisonOptions,
): string[] {
  const { answerToError, answerToSkipped, answeredToo } = review.availability
  const silent = [...answerToError, ...answerToSkipped]
  const answered = new Set(answeredToo)
  const isSometimes = silent.some((id) => answered.has(id))
  const { otherContext } = review.pairing
  const { renamed } = review.overlap
  const withoutBaseline = [...withoutBaselineOf(review)].filter((id) => failing.candidate.has(id))
  const halfDone = [runs[0], runs[run]].flatMap((one) =>
    one === undefined || one.state === 'complete'
      ? []
      : [
          `${one.label} is ${one.state === 'running' ? 'not ended' : one.state}: what it has not asked is not compared`,
        ],
  )
  const note = (count: number, one: string, many: string, words: string): string[] =>
    count === 0 ? [] : [`${digits(count)} of the questions ${count === 1 ? one : many} ${words}`]
  return [
    ...halfDone,
    ...(failOn.length === 0 || failOn.includes('availability')
      ? []
      : note(
          silent.length,
          'has',
          'have',
          `${isSometimes ? 'no answer at least once, and had one each time before' : 'no answer any more'}: that is availability, which no gate judged (--fail-on availability does)`,
        )),
    ...note(
      withoutBaseline.length,
      'must pass and fails,',
      'must pass and fail,',
      `but ${withoutBaseline.length === 1 ? 'was' : 'were'} not asked in these words before, so that no gate judged: ${withoutBaseline.slice(0, 5).join(', ')}`,
    ),
    ...note(renamed, 'has', 'have', 'another id, but the same text in the same conversation: paired by that'),
    ...note(
      otherContext,
      'follows',
      'follow',
      'a turn of the conversation that has another text now: the context differs',
    ),
    ...note(
      expectationsEdited,
      'expects',
      'expect',
      'something else than in the baseline: both answers were graded by what is expected now',
    ),
  ]
}

/** Ids of the candidate's questions that the baseline does not have in these words. */
function* withoutBaselineOf({ pairing: { added, edited } }: RunReview): Generator<string> {
  for (const [first] of added) if (first !== undefined) yield first.id
  for (const { candidate } of edited) if (candidate[0] !== undefined) yield candidate[0].id
}
