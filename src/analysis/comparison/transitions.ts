// What became of each pair of turns: where the answers came from, which passed, and which are missing.
import type { Pair } from './pair.ts'
import { availabilityOf, type Availability, type TurnSummary } from './turn-summary.ts'

/** What pairs are judged by. */
export type Judged = Pick<TurnSummary, 'outcome' | 'contextLost' | 'contextSource' | 'grounded' | 'passed'>

/** Where a turn's answer came from, or why there is none that counts. The endpoint may call a source anything. */
export type Standing =
  | { readonly kind: 'source'; readonly value: string }
  | { readonly kind: 'error' | 'skipped' | 'notAsked' | 'contextLost' }

export interface TransitionCell {
  readonly from: Standing
  readonly to: Standing
  /** How many pairs, from 1: cells without any are left out. */
  readonly count: number
}

export interface Transitions<T> {
  /** Largest count first, then by the labels' byte order. The counts add up to the pairs. */
  readonly matrix: readonly TransitionCell[]
  /** Flips of grounding: both answered, both with their context. */
  readonly grounding: { readonly lost: readonly Pair<T>[]; readonly gained: readonly Pair<T>[] }
  /** Verdicts of pairs in which both answers have one. */
  readonly verdict: {
    readonly passToFail: readonly Pair<T>[]
    readonly failToPass: readonly Pair<T>[]
    readonly failInBoth: readonly Pair<T>[]
  }
  /** No flips: an answer that is missing is neither ungrounded nor wrong. */
  readonly availability: {
    readonly answerToError: readonly Pair<T>[]
    readonly errorToAnswer: readonly Pair<T>[]
    /** No answer in either: errors, or turns skipped after one. */
    readonly errorInBoth: readonly Pair<T>[]
    /** Answered in one run, and in the other skipped after an error of its thread. */
    readonly answerToSkipped: readonly Pair<T>[]
    readonly skippedToAnswer: readonly Pair<T>[]
    /** One run at least did not get there: it is half done, and says nothing of the endpoint. */
    readonly notAsked: readonly Pair<T>[]
  }
  /** Both answered, and one of them without its context. */
  readonly context: { readonly lost: readonly Pair<T>[]; readonly regained: readonly Pair<T>[] }
}

export function transitionsOf<T extends Judged>(pairs: Iterable<Pair<T>>): Transitions<T> {
  const cells = new Map<string, { from: Standing; to: Standing; count: number }>()
  const grounding: Lists<T, 'lost' | 'gained'> = { lost: [], gained: [] }
  const verdict: Lists<T, 'passToFail' | 'failToPass' | 'failInBoth'> = {
    passToFail: [],
    failToPass: [],
    failInBoth: [],
  }
  const availability: Lists<T, keyof Transitions<T>['availability']> = {
    answerToError: [],
    errorToAnswer: [],
    errorInBoth: [],
    answerToSkipped: [],
    skippedToAnswer: [],
    notAsked: [],
  }
  const context: Lists<T, 'lost' | 'regained'> = { lost: [], regained: [] }
  for (const pair of pairs) {
    const { baseline, candidate } = pair
    const [from, to] = [standingOf(baseline), standingOf(candidate)]
    const key = JSON.stringify([from, to])
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, { from, to, count: 1 })
    else cell.count += 1

    if (baseline.grounded === true && candidate.grounded === false) grounding.lost.push(pair)
    if (baseline.grounded === false && candidate.grounded === true) grounding.gained.push(pair)
    if (baseline.passed === true && candidate.passed === false) verdict.passToFail.push(pair)
    if (baseline.passed === false && candidate.passed === true) verdict.failToPass.push(pair)
    if (baseline.passed === false && candidate.passed === false) verdict.failInBoth.push(pair)

    const change = availabilityChange(availabilityOf(baseline), availabilityOf(candidate))
    if (change !== undefined) availability[change].push(pair)
    if (to.kind === 'contextLost' && from.kind === 'source') context.lost.push(pair)
    if (from.kind === 'contextLost' && to.kind === 'source') context.regained.push(pair)
  }
  return { matrix: [...cells.values()].sort(largestFirst), grounding, verdict, availability, context }
}

type Lists<T, K extends string> = Record<K, Pair<T>[]>

export function standingOf(turn: Judged): Standing {
  const availability = availabilityOf(turn)
  if (availability !== 'answer') return { kind: availability }
  if (turn.contextLost) return { kind: 'contextLost' }
  // An outcome without its answer: the journal lost the record, so nothing is known of it.
  return turn.contextSource === undefined
    ? { kind: 'notAsked' }
    : { kind: 'source', value: turn.contextSource }
}

const LABELS = {
  error: '(error)',
  skipped: '(skipped)',
  notAsked: '(not asked)',
  contextLost: '(context lost)',
} as const

/** For people: the source's value as it is, or in brackets why there is none. */
export const labelOf = (standing: Standing): string =>
  standing.kind === 'source' ? standing.value : LABELS[standing.kind]

function availabilityChange(
  before: Availability,
  after: Availability,
): keyof Transitions<unknown>['availability'] | undefined {
  if (before === 'notAsked' || after === 'notAsked') return 'notAsked'
  if (before === 'answer' && after === 'error') return 'answerToError'
  if (before === 'error' && after === 'answer') return 'errorToAnswer'
  if (before === 'answer' && after === 'skipped') return 'answerToSkipped'
  if (before === 'skipped' && after === 'answer') return 'skippedToAnswer'
  return before === 'answer' ? undefined : 'errorInBoth'
}

function largestFirst(some: TransitionCell, other: TransitionCell): number {
  if (some.count !== other.count) return other.count - some.count
  const [left, right] = [sortKey(some), sortKey(other)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** The kinds last: a source may be called "(error)". */
const sortKey = ({ from, to }: TransitionCell): string =>
  JSON.stringify([labelOf(from), labelOf(to), from.kind, to.kind])
