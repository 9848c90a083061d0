// Calls that are due at a moment, the earliest first.
import { createHeap } from '../../columns/heap.ts'

export interface Due {
  /** Milliseconds of the test's clock. */
  readonly readyAt: number
}

export interface DueQueue<T extends Due> {
  readonly size: number
  readonly first: T | undefined
  push(item: T): void
  pop(): T | undefined
  /** How many are due by then; looks only at those. */
  dueBy(now: number): number
}

/** Of two that are due at the same moment, the one pushed first comes first. */
export function createDueQueue<T extends Due>(): DueQueue<T> {
  let pushed = 0
  const heap = createHeap<{ readonly item: T; readonly order: number }>((a, b) => {
    const difference = a.item.readyAt - b.item.readyAt
    return difference < 0 || (difference === 0 && a.order < b.order)
  })
  return {
    get size() {
      return heap.size
    },
    get first() {
      return heap.first()?.item
    },
    push: (item) => heap.push({ item, order: (pushed += 1) }),
    pop: () => heap.pop()?.item,
    dueBy: (now) => heap.countWhile(({ item }) => item.readyAt <= now),
  }
}
