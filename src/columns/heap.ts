// A binary heap: the first of many by an order, taken out one by one.

export interface Heap<T> {
  readonly size: number
  push(value: T): void
  /** Undefined where it is empty. */
  first(): T | undefined
  pop(): T | undefined
  /** How many are so, where those are that come before one that is; looks only at them and the next. */
  countWhile(isSo: (value: T) => boolean): number
}

export function createHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const values: T[] = []

  const swapIfBefore = (child: number, parent: number): boolean => {
    const [low, high] = [values[child], values[parent]]
    if (low === undefined || high === undefined || !isBefore(low, high)) return false
    values[child] = high
    values[parent] = low
    return true
  }
  const sink = (): void => {
    let place = 0
    for (;;) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      const [a, b] = [values[left], values[right]]
      if (a === undefined) return
      const better = b !== undefined && isBefore(b, a) ? right : left
      if (!swapIfBefore(better, place)) return
      place = better
    }
  }

  const countFrom = (place: number, isSo: (value: T) => boolean): number => {
    const value = values[place]
    if (value === undefined || !isSo(value)) return 0
    return 1 + countFrom(2 * place + 1, isSo) + countFrom(2 * place + 2, isSo)
  }

  return {
    get size() {
      return values.length
    },
    push: (value) => {
      let place = values.push(value) - 1
      while (place > 0 && swapIfBefore(place, (place - 1) >> 1)) place = (place - 1) >> 1
    },
    first: () => values[0],
    pop: () => {
      const [best] = values
      const last = values.pop()
      if (best === undefined || last === undefined || values.length === 0) return best
      values[0] = last
      sink()
      return best
    },
    countWhile: (isSo) => countFrom(0, isSo),
  }
}
