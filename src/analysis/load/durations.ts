// Durations of a load test in HdrHistograms: bounded memory for any number of samples.
import { build, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'
import type { JournalEvent } from '../../domain/journal.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Latency } from '../../domain/summary.ts'

/** A day, in microseconds; longer durations count as one. */
const MAX_DURATION_US = 86_400_000_000

/**
 * Durations are whole microseconds, in 32-bit counts with three significant digits: a histogram takes 112 KB,
 * a sample 0.2 µs. The packed build takes 0.1 KB but six times as long; two digits take 16 KB.
 */
export interface Durations {
  readonly histogram: Histogram
  /** It is in milliseconds: a mean computed from bins would not be exact. */
  sum: number
}

export function createDurations(digits: 2 | 3 = 3): Durations {
  const histogram = build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: MAX_DURATION_US,
    numberOfSignificantValueDigits: digits,
    useWebAssembly: false,
  })
  return { histogram, sum: 0 }
}

/** A negative `ms` (the clock was set back) counts as 0. */
export function recordDuration(durations: Durations, ms: number): void {
  const known = Math.max(0, ms)
  durations.sum += known
  durations.histogram.recordValue(Math.min(MAX_DURATION_US, Math.round(known * 1000)))
}

/** Takes the upper bound of the sample's bin, or the longest sample if that is shorter. */
export const percentileOf = ({ histogram }: Durations, percent: number): number | null =>
  histogram.totalCount === 0
    ? null
    : Math.min(histogram.getValueAtPercentile(percent), histogram.maxValue) / 1000

/** Times are milliseconds; `max`, `mean` and `count` are exact. */
function latencyOf(durations: Durations): Latency {
  const count = durations.histogram.totalCount
  return {
    p50: percentileOf(durations, 50),
    p90: percentileOf(durations, 90),
    p95: percentileOf(durations, 95),
    p99: percentileOf(durations, 99),
    max: percentileOf(durations, 100),
    mean: count === 0 ? null : Math.round((durations.sum / count) * 1000) / 1000,
    count,
  }
}

/** The turns that hung count: else response time would look best when the endpoint is at its worst. */
export const isTimed = (outcome: Outcome): boolean => outcome === 'answered' || outcome === 'timeout'

const NAMES = ['serviceMs', 'responseMs', 'waitMs', 'sendLagMs'] as const
type Named<T> = Record<(typeof NAMES)[number], T>

export function createLoadDurations() {
  const each = <T>(of: (name: (typeof NAMES)[number]) => T): Named<T> =>
    Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Named<T>
  const all = each(() => createDurations())
  return {
    add: (event: JournalEvent): void => {
      if (event.kind === 'result') {
        if (event.lagMs !== undefined && event.result.kind !== 'abandoned')
          recordDuration(all.sendLagMs, event.lagMs)
        return
      }
      if (event.kind !== 'turnEnded' || event.result === undefined) return
      const { result, waitMs, serviceMs, responseMs = serviceMs } = event.result
      recordDuration(all.waitMs, waitMs)
      if (isTimed(event.outcome)) recordDuration(all.responseMs, responseMs)
      if (result.kind === 'reply') recordDuration(all.serviceMs, serviceMs)
    },
    latencies: () => each((name) => latencyOf(all[name])),
    encoded: () => each((name) => encodeIntoCompressedBase64(all[name].histogram)),
  }
}
