// Which thread of the set an arrival is.
import { openThread, type ThreadState } from '../thread-state.ts'

/** What the set has of a thread. */
export type Conversation = Pick<ThreadState, 'order' | 'turns'>

/**
 * Arrival k asks thread k modulo n of the set's n, in the set's order, as repeat floor(k / n) + 1: each thread as often as
 * any other, give or take one, in a conversation of its own and with its own end user reference.
 */
export function openArrival(threads: readonly Conversation[], arrival: number): ThreadState {
  const thread = threads[arrival % threads.length]
  if (thread === undefined) throw new Error('a load test needs a thread')
  return openThread(thread.order, thread.turns, Math.floor(arrival / threads.length) + 1)
}
