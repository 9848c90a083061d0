// Threads whose next turn could be sent now, best first.
import { Heap } from '../domain/heap.ts'
import { turnsLeft, type ThreadState } from './thread-state.ts'

/**
 * First what is sent again, since the endpoint has refused it once; then the thread with the most turns left, so
 * that a long conversation does not make the tail (longest processing time first); then the order of the set.
 */
function compare(a: ThreadState, b: ThreadState): number {
  return (
    Number(b.tries > 0) - Number(a.tries > 0) ||
    turnsLeft(b) - turnsLeft(a) ||
    a.order - b.order ||
    a.repeat - b.repeat
  )
}

/** Threads that were begun, beside a sorted list of the others: most are never compared again. */
export class ReadyQueue {
  readonly #fresh: readonly ThreadState[]
  #taken = 0
  readonly #begun = new Heap<ThreadState>((a, b) => compare(a, b) < 0)

  /** Those at their end are left out. */
  constructor(threads: readonly ThreadState[]) {
    this.#fresh = threads.filter((thread) => turnsLeft(thread) > 0).sort(compare)
  }

  get size(): number {
    return this.#fresh.length - this.#taken + this.#begun.size
  }

  push(thread: ThreadState): void {
    this.#begun.push(thread)
  }

  pop(): ThreadState | undefined {
    const [begun, fresh] = [this.#begun.first(), this.#fresh[this.#taken]]
    if (fresh === undefined || (begun !== undefined && compare(begun, fresh) < 0)) return this.#begun.pop()
    this.#taken += 1
    return fresh
  }
}
