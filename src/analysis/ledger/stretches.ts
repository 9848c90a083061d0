// When the run was asking: its attempts joined into stretches, by the ledger's clock.
import type { AccountCall } from '../../domain/reconciliation.ts'
import type { Stretch } from './clock-offset.ts'
import type { Timing } from './pairing.ts'

/** A longer pause is none of the run's time: it may be the night between two sittings. */
const LONGEST_PAUSE_MS = 5 * 60_000

/** In the order of time; none touches the next. */
export function stretchesOf(calls: readonly AccountCall[], { offsetMs, toleranceMs }: Timing): Stretch[] {
  const stretches: { from: number; until: number }[] = []
  // What a damaged journal has lost was sent at some time between the others.
  const known = calls.filter(({ attempt }) => attempt !== undefined)
  for (const { from, until } of known.toSorted((a, b) => a.from - b.from)) {
    const last = stretches.at(-1)
    if (last !== undefined && from <= last.until + LONGEST_PAUSE_MS) last.until = Math.max(last.until, until)
    else stretches.push({ from, until })
  }
  return stretches.map(({ from, until }) => ({
    from: from + offsetMs - toleranceMs,
    until: until + offsetMs + toleranceMs,
  }))
}

export type Place = 'inSpan' | 'before' | 'between' | 'after'

/** Where a row lies whose time is from `at` on and before `until`. */
export function placeOf(stretches: readonly Stretch[], at: number, until: number): Place {
  let [low, high] = [0, stretches.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((stretches[middle]?.until ?? 0) < at) low = middle + 1
    else high = middle
  }
  const next = stretches[low]
  if (next === undefined) return 'after'
  if (until > next.from) return 'inSpan'
  return low === 0 ? 'before' : 'between'
}
