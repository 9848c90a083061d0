// A histogram as the curve of its percentiles, closer and closer towards the longest: what a plot over nines draws.
import type { Curve } from '../../domain/load/load-report.ts'
import type { HdrCounts } from './hdr-counts.ts'

/** Points for each further nine. */
const POINTS = 8

/** Up to the share that one sample more or less decides; then the longest of all. Empty without samples. */
export function curveOf(counts: HdrCounts): Curve {
  if (counts.count === 0) return []
  const nines = Math.floor(Math.log10(counts.count) * POINTS)
  const points = Array.from({ length: nines + 1 }, (_, place) => {
    const share = 1 - 10 ** (-place / POINTS)
    return { share, ms: counts.at(Math.max(share, 1 / counts.count)) ?? 0 }
  })
  return [...points, { share: 1, ms: counts.max }]
}
