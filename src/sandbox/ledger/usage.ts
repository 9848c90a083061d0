// The ledger's totals by organization and day: pure sums over its calls.
import { compareTexts } from '../../domain/compare-texts.ts'
import { CALL_OUTCOMES, type Call, type CallOutcome } from './call.ts'

export interface Usage {
  /** All calls, refused ones included. */
  calls: number
  /** Those that count as usage. */
  counted: number
  wordsIn: number
  wordsOut: number
  outcomes: Record<CallOutcome, number>
}

export interface UsageOfDay extends Usage {
  /** Null for calls whose key was missing or unknown. */
  readonly organization: string | null
  /** UTC, `2026-01-31`. */
  readonly day: string
}

/** UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** Sorted by organization (those without one first), then day. */
export function usageByDay(calls: Iterable<Call>): UsageOfDay[] {
  const days = new Map<string, UsageOfDay>()
  for (const call of calls) {
    const day = dayOf(call.at)
    const key = `${day} ${call.organization ?? ''}`
    const usage = days.get(key) ?? { organization: call.organization, day, ...emptyUsage() }
    days.set(key, usage)
    add(usage, call)
  }
  return [...days.values()].sort(
    (one, other) =>
      compareTexts(one.organization ?? '', other.organization ?? '') || compareTexts(one.day, other.day),
  )
}

export function totalUsage(calls: Iterable<Call>): Usage {
  const total = emptyUsage()
  for (const call of calls) add(total, call)
  return total
}

function emptyUsage(): Usage {
  const outcomes = Object.fromEntries(CALL_OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    CallOutcome,
    number
  >
  return { calls: 0, counted: 0, wordsIn: 0, wordsOut: 0, outcomes }
}

function add(usage: Usage, call: Call): void {
  usage.calls += 1
  usage.counted += call.counted ? 1 : 0
  usage.wordsIn += call.wordsIn
  usage.wordsOut += call.wordsOut
  usage.outcomes[call.outcome] += 1
}
