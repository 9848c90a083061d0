// What the endpoint counted, held against the account of a run: every attempt and every counted call in one place.
import { BUCKET_MS, type LedgerEntry } from '../../domain/ledger.ts'
import type {
  AccountCall,
  LedgerFile,
  MatchMethod,
  ReconciledCall,
  Reconciliation,
} from '../../domain/reconciliation.ts'
import type { UsageClass } from '../../domain/usage.ts'
import { accountOf } from '../quota-account.ts'
import { findOffset } from './find-offset.ts'
import { identify } from './identities.ts'
import { matchLedger } from './match-ledger.ts'
import { at, createPairing, stepOf, type Pairing } from './pairing.ts'
import { placeOf, stretchesOf } from './stretches.ts'
import { createSurenessOf } from './sureness.ts'
import { compareTotals } from './totals.ts'
import { judgeLedger } from './judge-ledger.ts'

export interface ReconcileInput {
  readonly runId: string
  /** Of a joined run: those under which its parts were asked. */
  readonly partIds?: readonly string[]
  readonly calls: readonly AccountCall[]
  readonly entries: readonly LedgerEntry[]
  readonly files: readonly LedgerFile[]
  readonly rotatingIds: boolean
  readonly toleranceMs: number
  /** Of the ledger's clock, where it is known; else it is estimated. */
  readonly offsetMs: number | undefined
  readonly notes: readonly string[]
}

export interface Reconciled {
  readonly result: Reconciliation
  /** Attempts in the order of time, then rows. */
  readonly calls: readonly ReconciledCall[]
}

export function reconcile(input: ReconcileInput): Reconciled {
  const { calls, entries, runId, partIds = [], toleranceMs } = input
  const pairing = createPairing(calls, entries)
  const identities = identify(calls, entries, [runId, ...partIds])
  const clock = findOffset(pairing, identities, input.offsetMs)
  const timing = { offsetMs: clock.offsetMs, toleranceMs }
  matchLedger(pairing, identities, timing, input.rotatingIds)
  const stretches = stretchesOf(calls, timing)
  const totals = compareTotals(pairing, identities, stretches, timing)
  const isUntimed = entries.length > 0 && entries.every((entry) => entry.at === undefined)
  const rows = listRows(pairing, identities.own, (index, entry) => {
    if (isUntimed || totals.rows.has(index)) return 'total'
    const isNear = entry.at !== undefined && placeOf(stretches, entry.at, entry.until) === 'inSpan'
    return isNear ? 'others' : 'elsewhere'
  })
  const stray = rows.flatMap(({ index, kind }) => (kind === 'others' ? [index] : []))
  const surenessOf = createSurenessOf(pairing, stray, timing)
  const lines = calls.map((call, index): ReconciledCall => {
    const match = pairing.matches[index]
    const isInTotals = match === undefined && (isUntimed || totals.calls.has(index))
    return {
      call,
      entry: match === undefined ? undefined : entries[match.entry],
      method: match?.method,
      sureness: match === undefined ? undefined : surenessOf(index),
      count: match === undefined ? 0 : 1,
      kind: match !== undefined ? 'matched' : isInTotals ? 'inTotals' : 'unmatched',
    }
  })
  const left = rows.map(({ index, kind }): ReconciledCall => {
    const count = pairing.left[index] ?? 0
    return { call: undefined, entry: at(entries, index), method: undefined, sureness: undefined, count, kind }
  })
  const countLeft = (kind: LeftRow['kind']): number =>
    sum(left.filter((one) => one.kind === kind).map(({ count }) => count))
  const account = accountOf(countClasses(lines))
  const untimed = sum(entries.filter((entry) => entry.at === undefined).map(({ count }) => count))
  const places = countPlaces(entries, (from, until) => placeOf(stretches, from, until))
  const facts = {
    account,
    matched: {
      ...countClasses(lines, 'matched'),
      bySureness: {
        sure: countClasses(lines.filter(({ sureness }) => sureness === 'sure')),
        likely: countClasses(lines.filter(({ sureness }) => sureness === 'likely')),
        doubtful: countClasses(lines.filter(({ sureness }) => sureness === 'doubtful')),
      },
      byMethod: {
        conversation: countClasses(lines, 'matched', 'conversation'),
        user: countClasses(lines, 'matched', 'user'),
        time: countClasses(lines, 'matched', 'time'),
      },
    },
    unmatched: countClasses(lines, 'unmatched'),
    inTotals: countClasses(lines, 'inTotals'),
    unexplained: { own: countLeft('own'), others: countLeft('others') },
    totals: countLeft('total'),
    elsewhere: countLeft('elsewhere'),
    ledger: { total: sum(entries.map(({ count }) => count)), untimed, ...places },
    mode: modeOf(entries, isUntimed),
  }
  return {
    result: {
      formatVersion: 1,
      run: runId,
      files: [...input.files],
      span: spanOf(calls),
      clock,
      toleranceMs,
      ...facts,
      ...judgeLedger(facts, lines),
      buckets: [...totals.buckets],
      notes: [...input.notes],
    },
    calls: [...lines, ...left.filter(({ kind }) => kind !== 'elsewhere')],
  }
}

interface LeftRow {
  readonly index: number
  readonly kind: Extract<ReconciledCall['kind'], 'own' | 'others' | 'total' | 'elsewhere'>
}

/** Rows whose count no attempt has used up; those outside the run's time are nobody's business, unless they are its own. */
const listRows = (
  { entries, left }: Pairing,
  own: ReadonlySet<number>,
  kindOf: (index: number, entry: LedgerEntry) => LeftRow['kind'],
): LeftRow[] =>
  entries.flatMap((entry, index) =>
    (left[index] ?? 0) === 0 ? [] : [{ index, kind: own.has(index) ? 'own' : kindOf(index, entry) }],
  )

function countPlaces(
  entries: readonly LedgerEntry[],
  place: (from: number, until: number) => keyof ReturnType<typeof countPlaces>,
): { inSpan: number; before: number; between: number; after: number } {
  const places = { inSpan: 0, before: 0, between: 0, after: 0 }
  for (const { at: from, until, count } of entries)
    if (from !== undefined) places[place(from, until)] += count
  return places
}

function countClasses(
  lines: readonly ReconciledCall[],
  kind?: ReconciledCall['kind'],
  method?: MatchMethod,
): Record<UsageClass, number> {
  const counts = { certain: 0, possible: 0, notCounted: 0 }
  for (const line of lines)
    if (
      line.call !== undefined &&
      (kind === undefined || line.kind === kind) &&
      (method === undefined || line.method === method)
    )
      counts[line.call.usage] += 1
  return counts
}

function modeOf(entries: readonly LedgerEntry[], isUntimed: boolean): Reconciliation['mode'] {
  if (isUntimed) return 'untimed'
  const timed = entries.filter((entry) => entry.at !== undefined)
  const coarse = timed.filter((entry) => stepOf(entry) >= BUCKET_MS).length
  return coarse === 0 ? 'calls' : coarse === timed.length ? 'totals' : 'mixed'
}

function spanOf(calls: readonly AccountCall[]): Reconciliation['span'] {
  const known = calls.filter(({ attempt }) => attempt !== undefined)
  if (known.length === 0) return null
  const from = known.reduce((least, call) => Math.min(least, call.from), Infinity)
  const to = known.reduce((most, call) => Math.max(most, call.until), -Infinity)
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)
