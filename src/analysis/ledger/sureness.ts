// How sure a match is: by ids, or by a time that nothing else lays claim to.
import type { Sureness } from '../../domain/reconciliation.ts'
import { at, windowOf, stepOf, type Pairing, type Timing } from './pairing.ts'
import { lowerBound, upperBound } from './match-windows.ts'

/** Of a matched attempt, by its index. `stray`: rows that are left over, and could have been its own. */
export function createSurenessOf(
  { calls, entries, matches }: Pairing,
  stray: readonly number[],
  timing: Timing,
): (call: number) => Sureness {
  const strayTimes = Float64Array.from(
    stray.flatMap((entry) => entries[entry]?.at ?? []),
    (time) => time,
  ).sort()
  const stepMs = entries.reduce((most, entry) => Math.max(most, stepOf(entry)), 0)
  const unmatched = [...calls.keys()]
    .filter((call) => matches[call] === undefined)
    .map((call) => windowOf(at(calls, call), timing, stepMs))
  const begins = Float64Array.from(unmatched, ({ from }) => from).sort()
  const ends = Float64Array.from(unmatched, ({ until }) => until).sort()
  return (call) => {
    const match = matches[call]
    if (match?.method !== 'time') return 'sure'
    const { from, until } = windowOf(at(calls, call), timing, stepMs)
    const time = entries[match.entry]?.at ?? 0
    const isContested = upperBound(strayTimes, until) > lowerBound(strayTimes, from)
    const isWanted = upperBound(begins, time) > lowerBound(ends, time)
    return isContested || isWanted ? 'doubtful' : 'likely'
  }
}
