// The usage ledger and the conversations, in memory only.
import { CALL_REFUSALS, type CallRefusal } from './contract.ts'

export interface Ledger {
  readonly calls: LedgerCall[]
  readonly conversations: Map<string, LedgerConversation>
}

/** Is `faulted` if a fault prevented a complete, valid reply. Refusals never count as usage. */
export type CallOutcome = 'answered' | 'faulted' | CallRefusal
const CALL_OUTCOMES = ['answered', 'faulted', ...Object.keys(CALL_REFUSALS)] as readonly CallOutcome[]

export interface LedgerCall {
  /** Counts milliseconds since the Unix epoch. */
  readonly at: number
  readonly organization: string | null
  /** Holds the first 8 hex digits of the key's SHA-256; null without a key. */
  readonly keyFingerprint: string | null
  readonly conversationId: string | null
  readonly endUserRef: string | null
  readonly outcome: CallOutcome
  readonly fault: string | null
  readonly counted: boolean
  /** Counts words of message and answer, in place of tokens; 0 if the call was not processed. */
  readonly wordsIn: number
  readonly wordsOut: number
}

interface LedgerTurn {
  readonly at: number
  readonly message: string
  readonly answer: string
  readonly contextSource: string
  /** Names the article that grounded the answer; null if model-only. */
  readonly article: string | null
  readonly section: string | null
}

export interface LedgerConversation {
  readonly id: string
  readonly organization: string
  readonly endUserRef: string | null
  readonly openedAt: number
  readonly turns: LedgerTurn[]
}

export const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0

export function totalUsage(calls: readonly LedgerCall[]) {
  const sum = (value: (call: LedgerCall) => number): number =>
    calls.reduce((total, call) => total + value(call), 0)
  const outcomes = CALL_OUTCOMES.map(
    (name) => [name, sum(({ outcome }) => Number(outcome === name))] as const,
  )
  return {
    calls: calls.length,
    counted: sum(({ counted }) => Number(counted)),
    wordsIn: sum(({ wordsIn }) => wordsIn),
    wordsOut: sum(({ wordsOut }) => wordsOut),
    outcomes: Object.fromEntries(outcomes),
  }
}
