// What changed in service time and in waiting, percentile by percentile.
import type { LatencyReview, PercentileChange } from '../../domain/comparison/comparison.ts'
import {
  bootstrapRanked,
  type QuantileDifference,
  nearestRank,
  sortSamples,
  rankSamples,
} from '../../stats/quantile.ts'
import { seededRandom } from '../../stats/random.ts'

const PERCENTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const
const SHARES = Object.values(PERCENTILES)

/** Milliseconds; absent in a run that did not answer the turn. */
interface BothRuns {
  readonly baseline?: number | undefined
  readonly candidate?: number | undefined
}

/** A turn of both runs. */
export interface TimedPair {
  /** Of the file and the thread's name, if names may repeat over files. */
  readonly thread: string
  readonly service: BothRuns
  readonly wait: BothRuns
}

/**
 * Percentiles by nearest rank over the turns that have a service time in both runs, and `level` intervals of their
 * differences over threads, the same for the same seed. Where fewer than three threads have turns beyond a percentile,
 * bounds and p are left out: with one or two, 95 % intervals held the truth in as few as 81 of 100 cases, with three or
 * more in 91 to 100.
 *
 * Waiting has no bounds: turns of all threads wait for one limiter, and a single pause holds up neighbours together, so
 * that threads drawn again see changes between like runs in 27 to 93 of 100 cases (same bench, p90 and up). Nor do those
 * of service time know of a night or an hour in which the endpoint was slower: they say that the run was, not why. Of
 * like runs on nights up to 10 % slower, or with half speed for a tenth of the time, 5 to 43 of 100 differ at 5 %; so
 * a gate should ask for a margin too.
 */
export function reviewLatency(
  pairs: Iterable<TimedPair>,
  { seed, level = 0.05 }: { readonly seed: number; readonly level?: number },
): LatencyReview {
  const numbers = new Map<string, number>()
  const owners: number[] = []
  const services = { baseline: [] as number[], candidate: [] as number[] }
  const waits = { baseline: [] as number[], candidate: [] as number[] }
  for (const { thread, service, wait } of pairs) {
    if (service.baseline === undefined || service.candidate === undefined) continue
    const owner = numbers.get(thread) ?? numbers.size
    numbers.set(thread, owner)
    owners.push(owner)
    services.baseline.push(service.baseline)
    services.candidate.push(service.candidate)
    if (wait.baseline === undefined || wait.candidate === undefined) continue
    waits.baseline.push(wait.baseline)
    waits.candidate.push(wait.candidate)
  }
  const threads = numbers.size
  const replicates = Math.round(Math.min(2000, Math.max(LEAST_REPLICATES, MOST_DRAWN / threads)))
  const baseline = rankSamples(services.baseline, owners, threads)
  const candidate = rankSamples(services.candidate, owners, threads)
  const differences = bootstrapRanked({ baseline, candidate }, SHARES, {
    random: seededRandom(seed),
    replicates,
    level,
  })
  return {
    turns: owners.length,
    service: changes(services, differences),
    wait: changes(waits, undefined),
  }
}

/** With fewer, a p-value could not be small enough for a level that several tests share. */
const LEAST_REPLICATES = 1000
/** Threads × replicates: a second or two. */
const MOST_DRAWN = 2e7
/** See `reviewLatency`. */
const LEAST_BEYOND = 3

function changes(
  samples: { readonly baseline: readonly number[]; readonly candidate: readonly number[] },
  differences: readonly QuantileDifference[] | undefined,
): LatencyReview['service'] {
  const [before, after] = [sortSamples(samples.baseline), sortSamples(samples.candidate)]
  const change = (place: keyof typeof PERCENTILES): PercentileChange => {
    const share = PERCENTILES[place]
    const [baseline, candidate] = [nearestRank(before, share), nearestRank(after, share)]
    if (baseline === undefined || candidate === undefined)
      return { baseline: null, candidate: null, difference: null, p: null }
    const found = differences?.[SHARES.indexOf(share)]
    const isKnown = found !== undefined && found.threadsBeyond >= LEAST_BEYOND
    const bound = (value: number | undefined): number | null =>
      isKnown && value !== undefined && Number.isFinite(value) ? value : null
    return {
      baseline,
      candidate,
      difference: { estimate: candidate - baseline, low: bound(found?.low), high: bound(found?.high) },
      p: bound(found?.p),
    }
  }
  return { p50: change('p50'), p90: change('p90'), p95: change('p95'), p99: change('p99') }
}
