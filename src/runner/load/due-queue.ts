// A priority queue of calls, earliest due time first.
import { Heap } from '../heap.ts'

export interface Due {
  /** Milliseconds of the test's clock. */
  readonly dueAt: number
}

/** Items due at the same time keep their order of insertion. */
export class DueQueue<T extends Due> {
  #pushed = 0
  readonly #heap = new Heap<{ readonly item: T; readonly order: number }>((a, b) => {
    const difference = a.item.dueAt - b.item.dueAt
    return difference < 0 || (difference === 0 && a.order < b.order)
  })

  get size(): number {
    return this.#heap.size
  }

  get first(): T | undefined {
    return this.#heap.first()?.item
  }

  push(item: T): void {
    this.#heap.push({ item, order: (this.#pushed += 1) })
  }

  pop(): T | undefined {
    return this.#heap.pop()?.item
  }
}
