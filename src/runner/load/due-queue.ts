// Calls that are due at a moment, the earliest first: a binary heap.

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
  const heap: { readonly item: T; readonly order: number }[] = []
  let pushed = 0

  const isBefore = (one: number, other: number): boolean => {
    const [a, b] = [heap[one], heap[other]]
    if (a === undefined || b === undefined) return false
    const difference = a.item.readyAt - b.item.readyAt
    return difference < 0 || (difference === 0 && a.order < b.order)
  }
  const swap = (one: number, other: number): void => {
    const [a, b] = [heap[one], heap[other]]
    if (a === undefined || b === undefined) return
    heap[one] = b
    heap[other] = a
  }
  const sink = (): void => {
    for (let place = 0; ;) {
      const left = 2 * place + 1
      const child = isBefore(left + 1, left) ? left + 1 : left
      if (!isBefore(child, place)) return
      swap(child, place)
      place = child
    }
  }
  const countFrom = (place: number, now: number): number => {
    const entry = heap[place]
    if (entry === undefined || entry.item.readyAt > now) return 0
    return 1 + countFrom(2 * place + 1, now) + countFrom(2 * place + 2, now)
  }
  return {
    get size() {
      return heap.length
    },
    get first() {
      return heap[0]?.item
    },
    push: (item) => {
      let place = heap.push({ item, order: (pushed += 1) }) - 1
      for (; place > 0; place = (place - 1) >> 1) {
        if (!isBefore(place, (place - 1) >> 1)) return
        swap(place, (place - 1) >> 1)
      }
    },
    pop: () => {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined || heap.length === 0) return first?.item
      heap[0] = last
      sink()
      return first.item
    },
    dueBy: (now) => countFrom(0, now),
  }
}
