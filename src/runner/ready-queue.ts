// Threads whose next turn could be sent now, best first.
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
 * A binary heap of the threads that were begun, beside a list of the others, which are opened when their turn comes:
 * those cost a number each. Threads at their end are left out.
 */
export function createReadyQueue(threads: Sequence<ThreadState>): ReadyQueue {
  const waiting = createWaitingList(threads)
  const heap: ThreadState[] = []

  const swapIfBefore = (child: number, parent: number): boolean => {
    const [low, high] = [heap[child], heap[parent]]
    if (low === undefined || high === undefined || !isBefore(low, high)) return false
    heap[child] = high
    heap[parent] = low
    return true
  }
  const push = (thread: ThreadState): void => {
    let place = heap.push(thread) - 1
    while (place > 0 && swapIfBefore(place, (place - 1) >> 1)) place = (place - 1) >> 1
  }
  const sink = (): void => {
    let place = 0
    for (;;) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      const [a, b] = [heap[left], heap[right]]
      if (a === undefined) return
      const better = b !== undefined && isBefore(b, a) ? right : left
      if (!swapIfBefore(better, place)) return
      place = better
    }
  }
  const popBegun = (): ThreadState | undefined => {
    const [best] = heap
    const last = heap.pop()
    if (best === undefined || last === undefined || heap.length === 0) return best
    heap[0] = last
    sink()
    return best
  }

  return {
    get size() {
      return waiting.size + heap.length
    },
    push,
    pop: () => {
      const [begun] = heap
      const next = waiting.peek()
      if (next === undefined) return popBegun()
      return begun !== undefined && isBefore(begun, next) ? popBegun() : waiting.take()
    },
  }
}
