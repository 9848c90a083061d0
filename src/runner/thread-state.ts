// The state of a thread: which turn is sent next, in which conversation.
import type { AssistRequest } from '../domain/attempt.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Question } from '../domain/question.ts'

export interface PlannedTurn {
  /** Numbers the question in the run, from 0. */
  readonly index: number
  readonly question: Question
}

export interface ThreadState {
  readonly order: number
  /** Begins with the turn that identifies the thread in the journal. */
  readonly turns: readonly [PlannedTurn, ...PlannedTurn[]]
  readonly repeat: number
  /** Is the index in `turns` of the next to send; `turns.length` when the thread is over. */
  next: number
  /** Numbers the thread's conversations from 1; a restart opens the next. */
  conversation: number
  conversationId: string | undefined
  contextLost: boolean
  restarted: boolean
  /** Continues a conversation of an earlier session, which the endpoint may have forgotten. */
  resumed: boolean
  tries: number
  /** Records a restart by a resume, with the first intent: until then earlier answers remain valid. */
  pending: JournalRecord | undefined
  /** Is when the turn could have been sent without limiter and backoff; undefined before a result. */
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

/** Opens the conversations in about the order in which a run sends them, side by side in memory. */
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

/** Makes the request of the current turn. `endUserRef` defaults to one per run, thread and conversation. */
export function buildRequest(thread: ThreadState, runId: string): AssistRequest {
  const { repeat, conversation, conversationId } = thread
  const { message, endUserRef: stated } = currentTurn(thread).question
  const endUserRef = stated ?? `${runId}-${thread.turns[0].index + 1}-${repeat}-${conversation}`
  return conversationId === undefined ? { message, endUserRef } : { message, conversationId, endUserRef }
}
