// The state of a thread: which turn is sent next, in which conversation.
import type { AssistRequest } from '../domain/attempt.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Question } from '../domain/question.ts'

export interface PlannedTurn {
  /** Number of the question in the run, from 0. */
  readonly index: number
  readonly question: Question
}

export interface ThreadState {
  /** Position of the thread in the set; breaks ties. */
  readonly order: number
  readonly turns: readonly [PlannedTurn, ...PlannedTurn[]]
  readonly repeat: number
  /** Position in `turns` of the next turn to send; their number when the thread is over. */
  next: number
  /** Which conversation of the thread, from 1. */
  conversation: number
  /** What the turn before returned. */
  conversationId: string | undefined
  contextLost: boolean
  /** Whether an ambiguous failure has used up the session's one restart. */
  restarted: boolean
  /** Continues a conversation of an earlier session, which the endpoint may have forgotten. */
  resumed: boolean
  /** Attempts of the turn at hand in this conversation. */
  tries: number
  /**
   * Of a thread that a resume restarts: the record of the restart. It is written with the first intent and not before,
   * so that the answers of earlier sessions stay until it is sent.
   */
  pending: JournalRecord | undefined
  /** When the turn at hand could have been sent, but for limiter and backoff; undefined until the thread is opened. */
  readyAt: number | undefined
}

export function openThread(order: number, turns: ThreadState['turns'], repeat: number): ThreadState {
  return {
    order,
    turns,
    repeat,
    next: 0,
    conversation: 1,
    conversationId: undefined,
    contextLost: false,
    restarted: false,
    resumed: false,
    tries: 0,
    pending: undefined,
    readyAt: undefined,
  }
}

/** The question a thread begins with: its records go by it. */
export const firstTurn = ({ turns }: Pick<ThreadState, 'turns'>): PlannedTurn => turns[0]

export const turnsLeft = ({ turns, next }: ThreadState): number => turns.length - next

export function currentTurn({ turns, next }: ThreadState): PlannedTurn {
  const turn = turns[next]
  if (turn === undefined) throw new Error('a thread that is over was asked for its turn')
  return turn
}

/** What the turn at hand sends. Without a reference of the set's own: one per run, thread and conversation. */
export function buildRequest(thread: ThreadState, runId: string): AssistRequest {
  const { question } = currentTurn(thread)
  const { repeat, conversation, conversationId } = thread
  const { message, endUserRef: own } = question
  const endUserRef = own ?? `${runId}-${firstTurn(thread).index + 1}-${repeat}-${conversation}`
  return conversationId === undefined ? { message, endUserRef } : { message, conversationId, endUserRef }
}
