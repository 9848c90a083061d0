// Whether what is known of a limit is narrow enough to stop.
import type { Estimate, LimitFinding } from '../../domain/limit-finding.ts'

/** Either way, as a part of the value. */
const RATE_WITHIN = 0.05
const SIZE_WITHIN = 0.2

export function isNarrow(finding: LimitFinding): boolean {
  const { kind, sustainedPerSecond, windowMs, burst, atOnce, evidence } = finding
  if (kind === 'unknown' || kind === 'none-met' || finding.confidence === 'low') return false
  if ((evidence.runnerUpBehind ?? 0) < 2) return false
  if (kind === 'concurrency') return atOnce !== null && isWithin(atOnce, SIZE_WITHIN)
  return (
    sustainedPerSecond !== null &&
    isWithin(sustainedPerSecond, RATE_WITHIN) &&
    [windowMs, burst].every((one) => one === null || isWithin(one, SIZE_WITHIN))
  )
}

function isWithin({ value, low, high }: Estimate, part: number): boolean {
  return high !== null && value - low <= part * value && high - value <= part * value
}
