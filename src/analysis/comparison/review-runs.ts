// A candidate against its baseline as far as it needs no answer's text: pairing, families, lists.
import type { ChangeKind } from '../../domain/comparison/change.ts'
import type {
  AvailabilityReview,
  ComparisonOptions,
  GroundingReview,
  LatencyReview,
  ShareReview,
  VerdictReview,
} from '../../domain/comparison/comparison.ts'
import { sourceLabel } from './answer-source.ts'
import { reviewFamily } from './family-review.ts'
import { judgedRuns, type JudgedRuns } from './judged-runs.ts'
import { reviewLatency } from './latency-review.ts'
import { type Pairing, type QuestionPair, repeatPairs, turnPairs } from './pair.ts'
import { availabilityOfAll, kindsOf, type QuestionKinds } from './question-kinds.ts'
import { questionValues, type TurnValue } from './question-values.ts'
import { reviewShares } from './share-review.ts'
import { transitionMatrix } from './transition-matrix.ts'
import { type Availability, availabilityOf, type TurnSummary } from './turn-summary.ts'

/** A question of both runs with what became of it. */
export interface ChangedQuestion extends QuestionPair<TurnSummary>, QuestionKinds {}

export interface RunReview extends Pick<JudgedRuns, 'pairing' | 'overlap' | 'values' | 'baselineValues'> {
  /** In the candidate's order. */
  readonly questions: readonly ChangedQuestion[]
  /** Of the rows: see `orderOfRows`. */
  readonly order: Uint32Array
  readonly grounding: Omit<GroundingReview, 'sensitivity'>
  readonly verdicts: Omit<VerdictReview, 'sensitivity' | 'expectationsEdited'>
  readonly availability: AvailabilityReview
  readonly latency: LatencyReview
}

export function reviewRuns(
  baseline: readonly TurnSummary[],
  candidate: readonly TurnSummary[],
  options: Pick<ComparisonOptions, 'minOverlap' | 'seed'>,
): RunReview {
  const { seed } = options
  const { pairing, overlap, flaky, judged, values, baselineValues } = judgedRuns(baseline, candidate, options)
  const { paired } = pairing
  const questions = paired.map((pair) => ({ ...pair, ...kindsOf(pair, flaky) }))
  const { lost, gained, flakyGrounding, passToFail, failToPass, failInBoth, flakyVerdict, ...lists } =
    listQuestions(questions)
  const { added, edited } = pairing
  return {
    pairing,
    questions,
    order: orderOfRows({ questions, added, edited }),
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
      lost,
      gained,
      flaky: flakyGrounding,
    },
    verdicts: {
      ...reviewFamily(values.verdicts, seed),
      passToFail,
      failToPass,
      failInBoth,
      flaky: flakyVerdict,
    },
    availability: { ...availabilityShares(judged, seed), ...lists },
    latency: reviewLatency(judged.length === 0 ? [] : latencyPairs(judged), { seed }),
  }
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

/** The candidate's ids, in its order. */
function listQuestions(questions: readonly ChangedQuestion[]): Record<keyof typeof LISTS, string[]> {
  const idsOf = (holds: (question: ChangedQuestion) => boolean): string[] =>
    questions.filter(holds).map(({ candidate }) => candidate[0]?.id ?? '')
  return Object.fromEntries(Object.entries(LISTS).map(([name, holds]) => [name, idsOf(holds)])) as Record<
    keyof typeof LISTS,
    string[]
  >
}

const answeredValue: TurnValue = (turn) => {
  const availability = availabilityOf(turn)
  return availability === 'notAsked' ? undefined : availability === 'answer'
}

function availabilityShares(pairs: Iterable<QuestionPair<TurnSummary>>, seed: number): ShareReview {
  return reviewShares(questionValues(pairs, answeredValue), seed)
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

type ToldQuestion =
  | { readonly presence: 'both'; readonly question: ChangedQuestion }
  /** One of the two runs may have nothing of it. */
  | { readonly presence: 'edited' | 'added' | 'removed'; readonly question: QuestionPair<TurnSummary> }

/** Of the candidate's questions, as `questions`, `edited` and `added` have them one after the other, their places. */
function orderOfRows({
  questions,
  edited,
  added,
}: Pick<RunReview, 'questions'> & Pick<Pairing<TurnSummary>, 'edited' | 'added'>): Uint32Array {
  const numbers = new Uint32Array(questions.length + edited.length + added.length)
  let place = 0
  const take = (first: TurnSummary | undefined): void => {
    numbers[place] = first?.index ?? 0
    place += 1
  }
  for (const { candidate } of questions) take(candidate[0])
  for (const { candidate } of edited) take(candidate[0])
  for (const candidate of added) take(candidate[0])
  return Uint32Array.from(numbers.keys()).sort(
    (some, other) => (numbers[some] ?? 0) - (numbers[other] ?? 0) || some - other,
  )
}

export function* inOrderOfRows({
  questions,
  order,
  pairing: { edited, added, removed },
}: Pick<RunReview, 'questions' | 'order' | 'pairing'>): Generator<ToldQuestion> {
  const told = (entry: number): ToldQuestion | undefined => {
    const [both, other, alone] = [
      questions.at(entry),
      edited.at(entry - questions.length),
      added.at(entry - questions.length - edited.length),
    ]
    if (both !== undefined) return { presence: 'both', question: both }
    if (other !== undefined) return { presence: 'edited', question: other }
    return alone && { presence: 'added', question: { baseline: [], candidate: alone } }
  }
  for (const entry of order) {
    const one = told(entry)
    if (one !== undefined) yield one
  }
  for (const baseline of removed) yield { presence: 'removed', question: { baseline, candidate: [] } }
}
