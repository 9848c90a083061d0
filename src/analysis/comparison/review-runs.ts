// A candidate against its baseline as far as it needs no answer's text: pairing, families, lists.
import type { ChangeKind } from '../../domain/comparison/change.ts'
import type { ComparisonOptions } from '../../domain/comparison/comparison.ts'
import type { LatencyReview } from '../../domain/comparison/costs.ts'
import type {
  AvailabilityReview,
  GroundingReview,
  ShareReview,
  VerdictReview,
} from '../../domain/comparison/shares.ts'
import { reviewFamily } from './family-review.ts'
import { judgedRuns, type JudgedRuns } from './judged-runs.ts'
import { reviewLatency } from './latency-review.ts'
import { repeatPairs, turnPairs, type QuestionPair } from './pair.ts'
import { availabilityOfAll, kindsOf, type QuestionKinds } from './question-kinds.ts'
import { questionValues, type TurnValue } from './question-values.ts'
import { reviewShares } from './share-review.ts'
import { sourceLabel } from './answer-source.ts'
import { transitionMatrix } from './transition-matrix.ts'
import { availabilityOf, type Availability, type TurnSummary } from './turn-summary.ts'

/** A question of both runs with what became of it. */
export interface ChangedQuestion extends QuestionPair<TurnSummary>, QuestionKinds {}

export interface RunReview extends Pick<JudgedRuns, 'pairing' | 'overlap' | 'values' | 'baselineValues'> {
  /** In the candidate's order. */
  readonly questions: readonly ChangedQuestion[]
  readonly grounding: Omit<GroundingReview, 'sensitivity'>
  readonly verdicts: Omit<VerdictReview, 'sensitivity' | 'expectationsEdited'>
  readonly availability: AvailabilityReview
  readonly latency: LatencyReview
}

/** `known`: see `judgedRuns`. */
export function reviewRuns(
  baseline: readonly TurnSummary[],
  candidate: readonly TurnSummary[],
  known: readonly (readonly TurnSummary[])[],
  options: Pick<ComparisonOptions, 'minOverlap' | 'seed'>,
): RunReview {
  const { seed } = options
  const { pairing, overlap, flaky, judged, values, baselineValues } = judgedRuns(
    baseline,
    candidate,
    known,
    options,
  )
  const { paired } = pairing
  const questions = paired.map((pair) => ({ ...pair, ...kindsOf(pair, flaky) }))
  const idsWhere = (holds: (question: ChangedQuestion) => boolean): string[] =>
    questions.filter(holds).map(({ candidate: [first] }) => first?.id ?? '')
  const idsOf = (kind: ChangeKind): string[] => idsWhere(({ kinds }) => kinds.includes(kind))
  return {
    pairing,
    questions,
    overlap,
    values,
    baselineValues,
    grounding: {
      ...reviewFamily(values.grounding, seed),
      matrix: transitionMatrix(repeatPairs(paired)).map(({ from, to, count }) => ({
        from: sourceLabel(from),
        to: sourceLabel(to),
        count,
      })),
      lost: idsOf('groundingLost'),
      gained: idsOf('groundingGained'),
      flaky: idsWhere(({ flakyGrounding }) => flakyGrounding),
    },
    verdicts: {
      ...reviewFamily(values.verdicts, seed),
      passToFail: idsOf('passToFail'),
      failToPass: idsOf('failToPass'),
      failInBoth: idsOf('failInBoth'),
      flaky: idsWhere(({ flakyVerdict }) => flakyVerdict),
    },
    availability: {
      ...availabilityShares(judged, seed),
      answerToError: idsOf('answerToError'),
      answerToSkipped: idsOf('answerToSkipped'),
      errorToAnswer: idsOf('errorToAnswer'),
      skippedToAnswer: idsOf('skippedToAnswer'),
      answeredToo: idsWhere(isAnsweredToo),
      contextLost: idsOf('contextLost'),
      contextRegained: idsOf('contextRegained'),
      errorInBoth: idsWhere((pair) =>
        statesOf(pair).every((state) => state === 'error' || state === 'skipped'),
      ),
      notAsked: idsWhere((pair) => statesOf(pair).includes('notAsked')),
    },
    latency: reviewLatency(judged.length === 0 ? [] : latencyPairs(judged), { seed }),
  }
}

const answeredValue: TurnValue = (turn) => {
  const availability = availabilityOf(turn)
  return availability === 'notAsked' ? undefined : availability === 'answer'
}

const availabilityShares = (pairs: readonly QuestionPair<TurnSummary>[], seed: number): ShareReview =>
  reviewShares(questionValues(pairs, answeredValue), seed)

const statesOf = ({ baseline, candidate }: QuestionPair<TurnSummary>): Availability[] => [
  availabilityOfAll(baseline),
  availabilityOfAll(candidate),
]

/** Whether a run that has no answer once at least has one from another repeat. */
const isAnsweredToo = ({ baseline, candidate }: QuestionPair<TurnSummary>): boolean =>
  [baseline, candidate].some((repeats) => {
    const states = new Set(repeats.map(availabilityOf))
    return states.has('answer') && (states.has('error') || states.has('skipped'))
  })

/** Turns answered in both runs: an answer that one run lacks must not shift the other's percentiles. */
function* latencyPairs(
  pairs: readonly QuestionPair<TurnSummary>[],
): Generator<Parameters<typeof reviewLatency>[0] extends Iterable<infer P> ? P : never> {
  for (const { baseline, candidate } of turnPairs(pairs)) {
    if (baseline.outcome !== 'answered' || candidate.outcome !== 'answered') continue
    yield {
      thread: JSON.stringify([candidate.file, candidate.thread]),
      service: { baseline: baseline.serviceMs, candidate: candidate.serviceMs },
      wait: { baseline: baseline.waitMs, candidate: candidate.waitMs },
    }
  }
}
