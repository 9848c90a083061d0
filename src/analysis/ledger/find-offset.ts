// The ledger's clock against ours, by the surest way that the two sides allow.
import { BUCKET_MS } from '../../domain/ledger.ts'
import type { Reconciliation } from '../../domain/reconciliation.ts'
import { agreeOnOffset, alignOffset, type OffsetInterval } from './clock-offset.ts'
import type { Group, Identities } from './identities.ts'
import { at, stepOf, type Pairing } from './pairing.ts'

type Clock = Reconciliation['clock']

/** More pairs do not make it better. */
const MOST_PAIRS = 20_000

const NONE: Clock = { offsetMs: 0, uncertaintyMs: 0, from: 'none', agree: 0, of: 0 }

/** Totals of hours tell nothing of a clock: there the clocks are taken as equal. */
export function findOffset(pairing: Pairing, identities: Identities, given: number | undefined): Clock {
  if (given !== undefined) return { ...NONE, offsetMs: given, from: 'given' }
  for (const [from, groups] of [
    ['conversation', identities.conversations],
    ['user', identities.users],
  ] as const) {
    const found = agreeOnOffset(intervalsOf(pairing, groups))
    // Half of the pairs and more must agree, or they tell nothing.
    if (found !== undefined && 2 * found.agree > found.of) return { ...found, from }
  }
  const points = pairing.entries
    .filter((entry) => entry.at !== undefined && stepOf(entry) < BUCKET_MS)
    .map((entry) => entry.at ?? 0)
  const stretches = pairing.calls.filter(({ usage, attempt }) => usage === 'certain' && attempt !== undefined)
  const stepMs = pairing.entries.reduce(
    (most, entry) => (stepOf(entry) < BUCKET_MS ? Math.max(most, stepOf(entry)) : most),
    1,
  )
  const aligned = alignOffset(stretches, Float64Array.from(points).sort(), stepMs)
  return aligned === undefined ? NONE : { ...aligned, from: 'alignment' }
}

/** Of groups where every attempt that counts has its row: those are surely in one order. */
function intervalsOf({ calls, entries }: Pairing, groups: readonly Group[]): OffsetInterval[] {
  const intervals: OffsetInterval[] = []
  for (const group of groups) {
    if (intervals.length >= MOST_PAIRS) break
    const certain = group.calls.filter((call) => at(calls, call).usage === 'certain')
    const rows = group.entries.map((entry) => at(entries, entry))
    const areCalls = rows.every((row) => row.at !== undefined && row.count === 1 && stepOf(row) < BUCKET_MS)
    if (!areCalls || certain.length !== rows.length) continue
    for (const [place, call] of certain.entries()) {
      const row = at(rows, place)
      const { from, until } = at(calls, call)
      intervals.push({ low: (row.at ?? 0) - until, high: row.until - from })
    }
  }
  return intervals
}
