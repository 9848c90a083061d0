// A candidate against its baseline as far as it needs no answer's text: pairing, families, lists.
import { sequenceOf, type Sequence } from '../../columns/sequence.ts'
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
import { forEachInSteps, type Steps } from '../../stats/steps.ts'
import { createKeptKinds } from './kept-kinds.ts'
import type { KnownFlaky } from './known-flaky.ts'
import { judgedRuns, type JudgedRuns } from './judged-runs.ts'
import { reviewLatency } from './latency-review.ts'
import { repeatPairs, turnPairs, type QuestionPair } from './pair.ts'
import { availabilityOfAll, kindsOf, type QuestionKinds } from './question-kinds.ts'
import { listQuestions } from './question-lists.ts'
import { orderOfRows } from './row-order.ts'
import { questionValues, type TurnValue } from './question-values.ts'
import { reviewShares } from './share-review.ts'
import { sourceLabel } from './answer-source.ts'
import { transitionMatrix } from './transition-matrix.ts'
import { availabilityOf, type Availability, type TurnSummary } from './turn-summary.ts'

/** A question of both runs with what became of it. */
export interface ChangedQuestion extends QuestionPair<TurnSummary>, QuestionKinds {}

export interface RunReview extends Pick<JudgedRuns, 'pairing' | 'overlap' | 'values' | 'baselineValues'> {
  /** In the candidate's order. */
  readonly questions: Sequence<ChangedQuestion>
  /** Of the rows: see `orderOfRows`. */
  readonly order: Uint32Array
  readonly grounding: Omit<GroundingReview, 'sensitivity'>
  readonly verdicts: Omit<VerdictReview, 'sensitivity' | 'expectationsEdited'>
  readonly availability: AvailabilityReview
  readonly latency: LatencyReview
}

export function* reviewRuns(
  baseline: Sequence<TurnSummary>,
  candidate: Sequence<TurnSummary>,
  options: Pick<ComparisonOptions, 'minOverlap' | 'seed'>,
): Steps<RunReview> {
  const { seed } = options
  const { pairing, overlap, flaky, judged, values, baselineValues } = yield* judgedRuns(
    baseline,
    candidate,
    options,
  )
  const { paired } = pairing
  const questions = yield* changedQuestions(paired, flaky)
  const { lost, gained, flakyGrounding, passToFail, failToPass, failInBoth, flakyVerdict, ...lists } =
    yield* listQuestions(questions, LISTS)
  const { added, edited } = pairing
  return {
    pairing,
    questions,
    order: yield* orderOfRows({ questions, added, edited }),
    overlap,
    values,
    baselineValues,
    grounding: {
      ...(yield* reviewFamily(values.grounding, seed)),
      matrix: (yield* transitionMatrix(repeatPairs(paired))).map(({ from, to, count }) => ({
        from: sourceLabel(from),
        to: sourceLabel(to),
        count,
      })),
      lost,
      gained,
      flaky: flakyGrounding,
    },
    verdicts: {
      ...(yield* reviewFamily(values.verdicts, seed)),
      passToFail,
      failToPass,
      failInBoth,
      flaky: flakyVerdict,
    },
    availability: { ...(yield* availabilityShares(judged, seed)), ...lists },
    latency: yield* reviewLatency(judged.length === 0 ? [] : latencyPairs(judged), { seed }),
  }
}

function* changedQuestions(
  paired: Sequence<QuestionPair<TurnSummary>>,
  flaky: KnownFlaky,
): Steps<Sequence<ChangedQuestion>> {
  const kinds = createKeptKinds()
  yield* forEachInSteps(paired, (pair) => kinds.add(kindsOf(pair, flaky)))
  return sequenceOf(paired.length, (place) => {
    const pair = paired.at(place)
    if (pair === undefined) throw new Error(`no question at ${place}`)
    return { ...pair, ...kinds.at(place) }
  })
}

const isOf =
  (kind: ChangeKind) =>
  ({ kinds }: ChangedQuestion): boolean =>
    kinds.includes(kind)

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

const LISTS = {
  lost: isOf('groundingLost'),
  gained: isOf('groundingGained'),
  flakyGrounding: ({ flakyGrounding }: ChangedQuestion) => flakyGrounding,
  passToFail: isOf('passToFail'),
  failToPass: isOf('failToPass'),
  failInBoth: isOf('failInBoth'),
  flakyVerdict: ({ flakyVerdict }: ChangedQuestion) => flakyVerdict,
  answerToError: isOf('answerToError'),
  answerToSkipped: isOf('answerToSkipped'),
  errorToAnswer: isOf('errorToAnswer'),
  skippedToAnswer: isOf('skippedToAnswer'),
  answeredToo: isAnsweredToo,
  contextLost: isOf('contextLost'),
  contextRegained: isOf('contextRegained'),
  errorInBoth: (pair: ChangedQuestion) =>
    statesOf(pair).every((state) => state === 'error' || state === 'skipped'),
  notAsked: (pair: ChangedQuestion) => statesOf(pair).includes('notAsked'),
}

const answeredValue: TurnValue = (turn) => {
  const availability = availabilityOf(turn)
  return availability === 'notAsked' ? undefined : availability === 'answer'
}

function* availabilityShares(pairs: Iterable<QuestionPair<TurnSummary>>, seed: number): Steps<ShareReview> {
  return yield* reviewShares(yield* questionValues(pairs, answeredValue), seed)
}

/** Turns answered in both runs: an answer that one run lacks must not shift the other's percentiles. */
function* latencyPairs(
  pairs: Iterable<QuestionPair<TurnSummary>>,
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
