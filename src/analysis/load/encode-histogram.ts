// Histograms as text that every HdrHistogram reads (V2, compressed): the one file that knows the library.
import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js'
import { LONGEST, type HdrCounts } from './hdr-counts.ts'

/** Whole microseconds. */
export function encodeHistogram(counts: HdrCounts): string {
  const histogram = build({
    bitBucketSize: 64,
    lowestDiscernibleValue: 1,
    // All of one range, so that every reader can add those of several tests.
    highestTrackableValue: LONGEST,
    numberOfSignificantValueDigits: counts.digits,
    useWebAssembly: false,
  })
  for (const { microseconds, count } of counts.bins()) histogram.recordValueWithCount(microseconds, count)
  return encodeIntoCompressedBase64(histogram)
}
