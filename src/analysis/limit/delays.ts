// Which calls were long on their way, and how far the moment at which the endpoint saw them is unknown.
import type { CallSeen } from '../../domain/limit.ts'
import type { Network } from './network.ts'

/**
 * For each call of `order`, milliseconds that it may have waited beyond an ordinary one before the endpoint saw it; 0 for
 * ordinary ones. A refused call was seen before its answer came. What was let through took its time to be answered: it
 * waited in line with the refused calls sent next to it, while these were under way.
 */
export function measureDelays(seen: readonly CallSeen[], order: Uint32Array, network: Network): Float64Array {
  const { oneWayMs, slackMs } = network
  const ordinaryMs = 2 * oneWayMs + slackMs
  const delays = new Float64Array(order.length)
  let before: CallSeen | undefined
  const waitOf = (one: CallSeen, seenBy: number): number =>
    Math.max(0, Math.min(seenBy, one.endedMs - oneWayMs) - one.sentMs - oneWayMs)
  const isSlow = ({ sentMs, endedMs }: CallSeen): boolean => endedMs - sentMs > ordinaryMs
  for (let nth = 0; nth < order.length; nth += 1) {
    const one = seen[order[nth] ?? 0]
    if (one === undefined) break
    if (one.refused) {
      before = one
      if (isSlow(one)) delays[nth] = waitOf(one, one.endedMs)
    } else if (before !== undefined && isSlow(before) && before.endedMs > one.sentMs)
      delays[nth] = waitOf(one, before.endedMs - oneWayMs)
  }
  let after: CallSeen | undefined
  for (let nth = order.length - 1; nth >= 0; nth -= 1) {
    const one = seen[order[nth] ?? 0]
    if (one === undefined) break
    if (one.refused) after = one
    else if (after !== undefined && isSlow(after) && after.sentMs - one.sentMs < after.endedMs - after.sentMs)
      delays[nth] = Math.max(delays[nth] ?? 0, waitOf(one, after.endedMs - oneWayMs))
  }
  return delays
}

/** Calls sent within so short a time go out together. */
const TOGETHER_MS = 20

/**
 * By how many milliseconds the middle one of the calls let through may have been seen later than an ordinary one, had the
 * calls under way with it overtaken one another: as long as the slowest refused one of them took. `order`: by sending.
 */
export function measureBlur(seen: readonly CallSeen[], order: Uint32Array, network: Network): number {
  const ordinaryMs = 2 * network.oneWayMs + network.slackMs
  const waits: number[] = []
  let slowestEndsMs = -Infinity
  for (let nth = 0; nth < order.length; nth += 1) {
    const one = seen[order[nth] ?? 0]
    if (one === undefined) break
    if (one.refused) {
      if (one.endedMs - one.sentMs > ordinaryMs) slowestEndsMs = Math.max(slowestEndsMs, one.endedMs)
      continue
    }
    let wait = Math.max(0, slowestEndsMs - one.sentMs)
    for (let later = nth + 1; later < order.length; later += 1) {
      const other = seen[order[later] ?? 0]
      if (other === undefined || other.sentMs > one.sentMs + TOGETHER_MS) break
      const trip = other.endedMs - other.sentMs
      if (other.refused && trip > ordinaryMs) wait = Math.max(wait, trip)
    }
    waits.push(wait)
  }
  return waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)] ?? 0
}
