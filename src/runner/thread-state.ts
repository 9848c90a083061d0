// Where a thread stands: what is asked next, in which conversation.
import type { Sequence } from '../columns/sequence.ts'
import type { AssistRequest } from '../domain/attempt.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Question } from '../domain/question.ts'

export interface PlannedTurn {
  /** Number of the question in the run, from 0. */
  readonly index: number
  readonly question: Question
}

export interface ThreadState {
  /** Place of the thread in the set: what breaks ties. */
  readonly order: number
  /** Never empty. They may be read again each time: of a large set no question is held. */
  readonly turns: Sequence<PlannedTurn>
  readonly repeat: number
  /** Place in `turns` of the turn to ask; their number when the thread is over. */
  next: number
  /** Which conversation of the thread, from 1. */
  conversation: number
  /** What the turn before returned. */
  conversationId: string | undefined
  contextLost: boolean
  /** Whether an ambiguous failure has used up the sitting's one restart. */
  restarted: boolean
  /** Goes on with a conversation of an earlier sitting, which the endpoint may have forgotten. */
  resumed: boolean
  /** Attempts of the turn at hand in this conversation. */
  tries: number
  /**
   * That the thread starts again, of a thread that a resume starts again: recorded with its first intent and not before,
   * so that the answers of earlier sittings stand until it is really asked.
   */
  pending: JournalRecord | undefined
  /** When the turn at hand could have been sent, but for limiter and backoff; undefined until the thread is opened. */
  readyAt: number | undefined
}

/** A thread whose turns are in memory. */
export interface HeldThread extends ThreadState {
  readonly turns: readonly [PlannedTurn, ...PlannedTurn[]]
}

export function openThread(order: number, turns: HeldThread['turns'], repeat: number): HeldThread
export function openThread(order: number, turns: Sequence<PlannedTurn>, repeat: number): ThreadState
export function openThread(order: number, turns: Sequence<PlannedTurn>, repeat: number): ThreadState {
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

export function holdTurns(thread: ThreadState): HeldThread {
  const [first = firstTurn(thread), ...rest] = Array.from(thread.turns, ({ index, question }) => ({
    index,
    question,
  }))
  return { ...thread, turns: [first, ...rest] }
}

/** The question a thread begins with: its records go by it. */
export function firstTurn({ turns }: Pick<ThreadState, 'turns'>): PlannedTurn {
  const turn = turns.at(0)
  if (turn === undefined) throw new Error('a thread without a turn')
  return turn
}

export function* turnsFrom({ turns }: Pick<ThreadState, 'turns'>, place: number): Generator<PlannedTurn> {
  for (let next = place; next < turns.length; next += 1) {
    const turn = turns.at(next)
    if (turn !== undefined) yield turn
  }
}

export const turnsLeft = ({ turns, next }: ThreadState): number => turns.length - next

export function currentTurn({ turns, next }: ThreadState): PlannedTurn {
  const turn = turns.at(next)
  if (turn === undefined) throw new Error('a thread that is over was asked for its turn')
  return turn
}

/** What the turn at hand sends. Without a reference of the set's own: one per run, thread and conversation. */
export function requestOf(thread: ThreadState, runId: string): AssistRequest {
  const { question } = currentTurn(thread)
  const { repeat, conversation, conversationId } = thread
  const { message, endUserRef: own } = question
  const endUserRef = own ?? `${runId}-${firstTurn(thread).index + 1}-${repeat}-${conversation}`
  return conversationId === undefined ? { message, endUserRef } : { message, conversationId, endUserRef }
}
