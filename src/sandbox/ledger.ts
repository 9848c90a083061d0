// The usage ledger and the conversations, in memory: gone when the process ends.
import { compareTexts } from '../domain/text.ts'
import { CALL_REFUSALS, type CallRefusal } from './contract.ts'

export interface Ledger {
  /** In the order of arrival. */
  readonly calls: Call[]
  /** By their id. */
  readonly conversations: Map<string, Conversation>
}

/**
 * `answered`: a whole reply of the contract's shape went out. `faulted`: a fault struck. The others are
 * refusals, named by their cause; they never count as usage.
 */
export type CallOutcome = 'answered' | 'faulted' | CallRefusal
const CALL_OUTCOMES = ['answered', 'faulted', ...Object.keys(CALL_REFUSALS)] as readonly CallOutcome[]

export interface Call {
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  /** Null where the key was missing or unknown. */
  readonly organization: string | null
  /** First 8 hex digits of SHA-256 of the key that was sent, never the key. */
  readonly keyFingerprint: string | null
  readonly conversationId: string | null
  readonly endUserRef: string | null
  readonly outcome: CallOutcome
  /** The fault that struck, where one did. */
  readonly fault: string | null
  /** Whether it is usage and counts toward the quota: the assistant has processed it. */
  readonly counted: boolean
  /** Tokens, in words; 0 where nothing was processed. */
  readonly wordsIn: number
  readonly wordsOut: number
}

interface Turn {
  readonly at: number
  readonly message: string
  readonly answer: string
  readonly contextSource: string
  /** Slug of the article that grounded the answer, and the heading of the section; null for model-only. */
  readonly article: string | null
  readonly section: string | null
}

export interface Conversation {
  readonly id: string
  readonly organization: string
  /** Of the turn that opened it: groups an end user's conversations. */
  readonly endUserRef: string | null
  readonly openedAt: number
  readonly turns: Turn[]
}

export const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0

/** `counted`: those that are usage; `calls`: all, refused ones included. */
export function totalUsage(calls: readonly Call[]) {
  const sum = (value: (call: Call) => number): number => calls.reduce((total, call) => total + value(call), 0)
  const outcomes = CALL_OUTCOMES.map((one) => [one, sum(({ outcome }) => Number(outcome === one))] as const)
  return {
    calls: calls.length,
    counted: sum(({ counted }) => Number(counted)),
    wordsIn: sum(({ wordsIn }) => wordsIn),
    wordsOut: sum(({ wordsOut }) => wordsOut),
    outcomes: Object.fromEntries(outcomes),
  }
}

/** UTC, `2026-01-31`. */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** Sorted by organization (calls whose key was missing or unknown first), then day. */
export function usageByDay(calls: readonly Call[]) {
  const days = new Map<string, { organization: string | null; day: string; calls: Call[] }>()
  for (const call of calls) {
    const { organization } = call
    const day = utcDay(call.at)
    const key = JSON.stringify([organization ?? '', day])
    const group = days.get(key) ?? { organization, day, calls: [] }
    group.calls.push(call)
    days.set(key, group)
  }
  return [...days.entries()]
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([, { organization, day, calls: group }]) => ({ organization, day, ...totalUsage(group) }))
}
