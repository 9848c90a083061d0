// Rows that are totals of hours or days, against the attempts that fall into them.
import { BUCKET_MS } from '../../domain/ledger.ts'
import type { LedgerBucket } from '../../domain/reconciliation.ts'
import type { AccountCall } from '../../domain/reconciliation.ts'
import type { Stretch } from './clock-offset.ts'
import type { Identities } from './identities.ts'
import { at, stepOf, type Pairing, type Timing } from './pairing.ts'
import { placeOf } from './stretches.ts'

export interface Totals {
  /** In the order of time, those that the run touches. */
  readonly buckets: readonly LedgerBucket[]
  /** Indices of the attempts that they are compared with: what was not matched and lies in one of them. */
  readonly calls: ReadonlySet<number>
  /** Indices of the rows that were summed. */
  readonly rows: ReadonlySet<number>
}

/** What ids have matched already is not counted again. */
export function compareTotals(
  pairing: Pairing,
  { own, otherConversations, users }: Identities,
  stretches: readonly Stretch[],
  { offsetMs }: Timing,
): Totals {
  const { calls, entries, left, matches } = pairing
  const sums = new Map<string, { readonly from: number; readonly until: number; ledger: number }>()
  const rows = new Set<number>()
  for (const [index, entry] of entries.entries()) {
    const isOthers =
      otherConversations.has(index) || (users.length > 0 && entry.endUserRef !== undefined && !own.has(index))
    if (entry.at === undefined || stepOf(entry) < BUCKET_MS || (left[index] ?? 0) === 0) continue
    if (isOthers || own.has(index) || placeOf(stretches, entry.at, entry.until) !== 'inSpan') continue
    const key = `${entry.at} ${entry.until}`
    const sum = sums.get(key) ?? { from: entry.at, until: entry.until, ledger: 0 }
    sum.ledger += left[index] ?? 0
    sums.set(key, sum)
    rows.add(index)
  }
  const ordered = [...sums.values()].sort((a, b) => a.from - b.from || a.until - b.until)
  const compared = new Set<number>()
  const unmatched = [...calls.keys()].filter((call) => matches[call] === undefined)
  const buckets = ordered.map(({ from, until, ledger }): LedgerBucket => {
    let [min, max] = [0, 0]
    for (const index of unmatched) {
      const call = at(calls, index)
      if (call.from + offsetMs >= until || call.until + offsetMs < from) continue
      compared.add(index)
      if (isWithin(call, from - offsetMs, until - offsetMs) && call.usage === 'certain') min += 1
      if (call.usage !== 'notCounted') max += 1
    }
    const [verdict, by] =
      ledger < min
        ? (['fewer', min - ledger] as const)
        : ledger > max
          ? (['more', ledger - max] as const)
          : (['within', 0] as const)
    return {
      from: new Date(from).toISOString(),
      to: new Date(until).toISOString(),
      ledger,
      min,
      max,
      verdict,
      by,
    }
  })
  return { buckets, calls: compared, rows }
}

const isWithin = ({ from, until }: AccountCall, start: number, end: number): boolean =>
  from >= start && until < end
