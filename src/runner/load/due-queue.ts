// A priority queue of calls, earliest due time first.
import TinyQueue from 'tinyqueue'

export interface Due {
  /** Milliseconds of the test's clock. */
  readonly dueAt: number
}

/** Items due at the same time keep their order of insertion. */
export class DueQueue<T extends Due> {
  #pushed = 0
  readonly #heap = new TinyQueue<{ readonly item: T; readonly order: number }>(
    [],
    (a, b) => a.item.dueAt - b.item.dueAt || a.order - b.order,
  )

  get size(): number {
    return this.#heap.length
  }

  get first(): T | undefined {
    return this.#heap.peek()?.item
  }

  push(item: T): void {
    this.#heap.push({ item, order: (this.#pushed += 1) })
  }

  pop(): T | undefined {
    return this.#heap.pop()?.item
  }
}
