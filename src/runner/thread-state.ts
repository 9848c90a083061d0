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
  /** Position of the thread in the set. */
  readonly order: number
  /** The first one identifies the thread in the journal. */
  readonly turns: readonly [PlannedTurn, ...PlannedTurn[]]
  readonly repeat: number
  /** Index in `turns` of the current turn, the next to send; `turns.length` when the thread is over. */
  next: number
  /** Number of the thread's conversation, from 1; a restart opens the next. */
  conversation: number
  conversationId: string | undefined
  contextLost: boolean
  /** The session's one restart is used up. */
  restarted: boolean
  /** Continues a conversation of an earlier session, which the endpoint may have forgotten. */
  resumed: boolean
  /** Attempts of the current turn in this conversation. */
  tries: number
  /**
   * The record of a restart by a resume. It is written with the first intent, so that the answers of earlier
   * sessions remain valid until then.
   */
  pending: JournalRecord | undefined
  /**
   * When the current turn could have been sent without limiter and backoff; undefined before the first
   * result.
   */
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

/**
 * The conversations that the turns make, each with its repeats: about the order in which a run sends them, so
 * that they lie side by side in memory.
 */
export function openThreads(turns: readonly PlannedTurn[], repeats: number): ThreadState[] {
  const threads = new Map<string, [PlannedTurn, ...PlannedTurn[]]>()
  for (const turn of turns) {
    const key = JSON.stringify([turn.question.file, turn.question.thread])
    const members = threads.get(key)
    if (members === undefined) threads.set(key, [turn])
    else members.push(turn)
  }
  for (const members of threads.values()) members.sort((a, b) => a.question.turn - b.question.turn)
  return [...threads.values()].flatMap((members, order) =>
    Array.from({ length: repeats }, (_, index) => openThread(order, members, index + 1)),
  )
}

export const turnsLeft = ({ turns, next }: ThreadState): number => turns.length - next

export function currentTurn({ turns, next }: ThreadState): PlannedTurn {
  const turn = turns[next]
  if (turn === undefined) throw new Error('the thread has no turn left')
  return turn
}

/** The request of the current turn. Default `endUserRef`: one per run, thread and conversation. */
export function buildRequest(thread: ThreadState, runId: string): AssistRequest {
  const { repeat, conversation, conversationId } = thread
  const { message, endUserRef: stated } = currentTurn(thread).question
  const endUserRef = stated ?? `${runId}-${thread.turns[0].index + 1}-${repeat}-${conversation}`
  return conversationId === undefined ? { message, endUserRef } : { message, conversationId, endUserRef }
}
