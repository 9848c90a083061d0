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
  /** Tells calls apart whose other cells are equal. */
  readonly id: string
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

export const totalUsage = (calls: readonly LedgerCall[]) => ({
  calls: calls.length,
  counted: calls.filter(({ counted }) => counted).length,
  outcomes: Object.fromEntries(
    CALL_OUTCOMES.map((name) => [name, calls.filter(({ outcome }) => outcome === name).length]),
  ),
})
