// Attempts on one side, rows of the ledger on the other, and which of them were brought together.
import type { LedgerEntry } from '../../domain/ledger.ts'
import type { MatchMethod } from '../../domain/reconciliation.ts'
import type { UsageClass } from '../../domain/usage.ts'
import type { AccountCall } from '../../domain/reconciliation.ts'
import { matchWindows, type Window } from './match-windows.ts'

export interface Match {
  /** Index of the row. */
  readonly entry: number
  readonly method: MatchMethod
}

/** Grows stage by stage; an attempt is matched once, a row as often as it counts. */
export interface Pairing {
  readonly calls: readonly AccountCall[]
  readonly entries: readonly LedgerEntry[]
  /** By index of the attempt. */
  readonly matches: (Match | undefined)[]
  /** By index of the row: how much of its count is left. */
  readonly left: number[]
}

export const createPairing = (calls: readonly AccountCall[], entries: readonly LedgerEntry[]): Pairing => ({
  calls,
  entries,
  matches: calls.map(() => undefined),
  left: entries.map(({ count }) => count),
})

/** How the clocks stand to each other, and how far a time may be off beside that. Milliseconds. */
export interface Timing {
  readonly offsetMs: number
  readonly toleranceMs: number
}

/** What is rather in the ledger is matched first. */
export const RANK: Readonly<Record<UsageClass, number>> = { certain: 0, possible: 1, notCounted: 2 }

/** When the ledger may say that it was, for a row whose time is known to be within `stepMs`. */
export function windowOf(call: AccountCall, { offsetMs, toleranceMs }: Timing, stepMs: number): Window {
  return {
    // A time in whole seconds may lie up to a second before what it stands for.
    from: call.from + offsetMs - toleranceMs - Math.max(0, stepMs - 1),
    until: call.until + offsetMs + toleranceMs,
    rank: RANK[call.usage],
  }
}

/** Matches as many of these attempts and rows as their times allow. Indices; rows without a time are passed over. */
export function matchByTime(
  pairing: Pairing,
  calls: readonly number[],
  entries: readonly number[],
  timing: Timing,
  method: MatchMethod,
): void {
  const free = calls.filter((call) => pairing.matches[call] === undefined)
  const timed = entries.filter(
    (entry) => (pairing.left[entry] ?? 0) > 0 && pairing.entries[entry]?.at !== undefined,
  )
  if (free.length === 0 || timed.length === 0) return
  const timeOf = (entry: number): number => pairing.entries[entry]?.at ?? 0
  const units = timed
    .toSorted((a, b) => timeOf(a) - timeOf(b) || a - b)
    .flatMap((entry) => Array.from({ length: Math.min(pairing.left[entry] ?? 0, free.length) }, () => entry))
  const stepMs = timed.reduce((most, entry) => Math.max(most, stepOf(pairing.entries[entry])), 0)
  const windows = free.map((call) => windowOf(at(pairing.calls, call), timing, stepMs))
  const matched = matchWindows(Float64Array.from(units, timeOf), windows)
  for (const [place, point] of matched.entries()) {
    const [call, entry] = [free[place], units[point]]
    if (call !== undefined && entry !== undefined) join(pairing, call, entry, method)
  }
}

/** Matches what ids bring together though the times do not, in the order of time; the likeliest attempts first. */
export function matchInOrder(
  pairing: Pairing,
  calls: readonly number[],
  entries: readonly number[],
  method: MatchMethod,
): void {
  const waiting = calls
    .filter((call) => pairing.matches[call] === undefined && at(pairing.calls, call).usage !== 'notCounted')
    .toSorted((a, b) => RANK[at(pairing.calls, a).usage] - RANK[at(pairing.calls, b).usage] || a - b)
  let next = 0
  for (const entry of entries)
    while ((pairing.left[entry] ?? 0) > 0 && next < waiting.length) {
      join(pairing, waiting[next] ?? 0, entry, method)
      next += 1
    }
}

export function join(pairing: Pairing, call: number, entry: number, method: MatchMethod): void {
  pairing.matches[call] = { entry, method }
  pairing.left[entry] = (pairing.left[entry] ?? 0) - 1
}

export function part(pairing: Pairing, call: number): void {
  const match = pairing.matches[call]
  if (match === undefined) return
  pairing.matches[call] = undefined
  pairing.left[match.entry] = (pairing.left[match.entry] ?? 0) + 1
}

export const stepOf = (entry: LedgerEntry | undefined): number =>
  entry?.at === undefined ? 0 : entry.until - entry.at

/** Indices are our own: one that is not there is a bug. */
export function at<T>(list: readonly T[], index: number): T {
  const one = list[index]
  if (one === undefined) throw new Error(`there is no number ${index}`)
  return one
}
