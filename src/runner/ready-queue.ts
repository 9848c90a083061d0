// Threads whose next turn could be sent now, best first.
import { createHeap } from '../columns/heap.ts'
import type { Sequence } from '../columns/sequence.ts'
import { createWaitingList } from './waiting-list.ts'
import { turnsLeft, type ThreadState } from './thread-state.ts'

/**
 * First what is sent again, since the endpoint has refused it once; then the thread with the most turns left, so
 * that a long conversation does not make the tail (longest processing time first); then the order of the set.
 */
function isBefore(a: ThreadState, b: ThreadState): boolean {
  if (a.tries > 0 !== b.tries > 0) return a.tries > 0
  const difference = turnsLeft(a) - turnsLeft(b)
  return difference === 0 ? a.order < b.order || (a.order === b.order && a.repeat < b.repeat) : difference > 0
}

export interface ReadyQueue {
  readonly size: number
  push(thread: ThreadState): void
  pop(): ThreadState | undefined
}

/**
 * The threads that were begun, beside a list of the others, which are opened when their turn comes:
 * those cost a number each. Threads at their end are left out.
 */
export function createReadyQueue(threads: Sequence<ThreadState>): ReadyQueue {
  const waiting = createWaitingList(threads)
  const begun = createHeap(isBefore)

  return {
    get size() {
      return waiting.size + begun.size
    },
    push: (thread) => begun.push(thread),
    pop: () => {
      const [best, next] = [begun.first(), waiting.peek()]
      if (next === undefined) return begun.pop()
      return best !== undefined && isBefore(best, next) ? begun.pop() : waiting.take()
    },
  }
}
