// Threads whose next turn could be sent now, best first.
import { Heap } from '../columns/heap.ts'
import type { Sequence } from '../columns/sequence.ts'
import { WaitingList } from './waiting-list.ts'
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

/**
 * The threads that were begun, beside a list of the others, which are opened when their turn comes:
 * those cost a number each. Threads at their end are left out.
 */
export class ReadyQueue {
  readonly #waiting: WaitingList
  readonly #begun = new Heap(isBefore)

  constructor(threads: Sequence<ThreadState>) {
    this.#waiting = new WaitingList(threads)
  }

  get size(): number {
    return this.#waiting.size + this.#begun.size
  }

  push(thread: ThreadState): void {
    this.#begun.push(thread)
  }

  pop(): ThreadState | undefined {
    const [best, next] = [this.#begun.first(), this.#waiting.peek()]
    if (next === undefined) return this.#begun.pop()
    return best !== undefined && isBefore(best, next) ? this.#begun.pop() : this.#waiting.take()
  }
}
