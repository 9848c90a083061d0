// By how much a share changed between two runs, and whether that is more than chance.
import type { MeasuredDifference, ShareReview } from '../../domain/comparison/comparison.ts'
import { bootstrapShares, type Difference, type PairedCluster } from '../../stats/paired-bootstrap.ts'
import { exactMcNemar, signFlipTest } from '../../stats/paired-tests.ts'
import { seededRandom } from '../../stats/random.ts'
import type { QuestionValues } from './question-values.ts'

/**
 * Difference of a share over questions in threads, its 95 % interval by the bootstrap over threads, and a two-sided p. Where
 * every thread is one question asked once, p is McNemar's exact one. Else two tests must agree, and p is the larger
 * of theirs: sign flips hold their level with few threads, the bootstrap where threads differ in size. An interval
 * holds what its test does not refuse: one that leaves 0 out though p is above 5 % is stretched to it.
 */
export function reviewShares(
  values: readonly QuestionValues[],
  seed: number,
  mostReplicates = 4000,
): ShareReview {
  const clusters = clustersOf(values)
  const threads = clusters.length
  const questions = values.length
  if (questions === 0)
    return { questions, threads, baseline: null, candidate: null, difference: null, p: null, test: null }
  let [baseline, candidate] = [0, 0]
  for (const one of values) {
    baseline += one.baseline
    candidate += one.candidate
  }
  const drawn = bootstrapShares(clusters, {
    random: seededRandom(seed),
    replicates: replicatesFor(threads, mostReplicates),
  })
  const estimate = (candidate - baseline) / questions
  const tested = testOf(values, clusters, drawn)
  const difference = measured(drawn) ?? { estimate, low: null, high: null }
  return {
    questions,
    threads,
    baseline: baseline / questions,
    candidate: candidate / questions,
    difference: tested.p > LEVEL ? stretched(difference) : difference,
    ...tested,
  }
}

/** Of the intervals, and of the test that they agree with. */
const LEVEL = 0.05

const stretched = ({ estimate, low, high }: MeasuredDifference): MeasuredDifference => ({
  estimate,
  low: low === null ? null : Math.min(low, 0),
  high: high === null ? null : Math.max(high, 0),
})

/** For tags: many tests of small parts, whose p-values must reach below what draws can resolve. */
export function exactP(values: Iterable<QuestionValues>): number {
  return signFlipTest(wholeChanges(changesOf(clustersOf(values))))
}

function testOf(
  values: readonly QuestionValues[],
  clusters: readonly PairedCluster[],
  drawn: Difference | undefined,
): { readonly p: number; readonly test: NonNullable<ShareReview['test']> } {
  const isPlain = (value: number): boolean => value === 0 || value === 1
  const isSingle = clusters.length === values.length
  if (isSingle && clusters.every((one) => isPlain(one.baseline) && isPlain(one.candidate))) {
    const lost = clusters.filter((one) => one.candidate < one.baseline).length
    const gained = clusters.filter((one) => one.candidate > one.baseline).length
    return { p: exactMcNemar(lost, gained), test: 'exact McNemar' }
  }
  const flipped = signFlipTest(wholeChanges(changesOf(clusters)))
  return { p: Math.max(flipped, drawn?.p ?? 1), test: 'bootstrap and sign flips over threads' }
}

/** The questions of each conversation together, conversations in the order of their first question. */
export function clustersOf(values: Iterable<QuestionValues>): PairedCluster[] {
  const clusters = new Map<string, { turns: number; baseline: number; candidate: number }>()
  for (const { thread, baseline, candidate } of values) {
    const known = clusters.get(thread)
    if (known === undefined) clusters.set(thread, { turns: 1, baseline, candidate })
    else {
      known.turns += 1
      known.baseline += baseline
      known.candidate += candidate
    }
  }
  return [...clusters.values()]
}

const changesOf = (clusters: readonly PairedCluster[]): number[] =>
  clusters.map(({ baseline, candidate }) => candidate - baseline)

/** So many that the tails are well known, and fewer where many threads make each of them long: half a minute is no test. */
const replicatesFor = (threads: number, most: number): number =>
  Math.round(Math.min(most, Math.max(1000, 4e7 / threads)))

/** Bounds that the threads are too few to know are null: JSON has no infinity. */
export function measured(difference: Difference | undefined): MeasuredDifference | null {
  if (difference === undefined) return null
  const { estimate, low, high } = difference
  return { estimate, low: finite(low), high: finite(high) }
}

const finite = (bound: number): number | null => (Number.isFinite(bound) ? bound : null)

/** Shares of up to six repeats, and of most mixes of such, come out whole. */
const MOST_PARTS = 60
/** Steps that the test may take: a second or so. */
const MOST_STEPS = 3e8

/**
 * Each change times one number, the smallest that makes all of them whole, or as large as time allows and rounded.
 * Rounding half away from 0 treats both signs alike, so that the test holds its level all the same.
 */
export function wholeChanges(changes: readonly number[]): number[] {
  const moved = changes.filter((change) => change !== 0)
  const largest = moved.reduce((most, change) => Math.max(most, Math.abs(change)), 1)
  // The test goes through 24 standard deviations of the sum for each thread that changed.
  const affordable = Math.floor(MOST_STEPS / (24 * moved.length ** 1.5 * largest))
  const most = Math.max(1, Math.min(MOST_PARTS, affordable))
  let parts = 1
  while (parts < most && !moved.every((change) => isWhole(change * parts))) parts += 1
  return changes.map((change) => Math.sign(change) * Math.round(Math.abs(change) * parts))
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-6
