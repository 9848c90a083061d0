// A binary heap.

/** A class for speed: V8 keeps an object literal with a getter in dictionary mode and does not inline it. */
export class Heap<T> {
  readonly #values: T[] = []
  readonly #isBefore: (a: T, b: T) => boolean

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#values.length
  }

  push(value: T): void {
    let place = this.#values.push(value) - 1
    while (place > 0 && this.#swapIfBefore(place, (place - 1) >> 1)) place = (place - 1) >> 1
  }

  first(): T | undefined {
    return this.#values[0]
  }

  pop(): T | undefined {
    const values = this.#values
    const [best] = values
    const last = values.pop()
    if (best === undefined || last === undefined || values.length === 0) return best
    values[0] = last
    this.#sink()
    return best
  }

  #swapIfBefore(child: number, parent: number): boolean {
    const values = this.#values
    const [low, high] = [values[child], values[parent]]
    if (low === undefined || high === undefined || !this.#isBefore(low, high)) return false
    values[child] = high
    values[parent] = low
    return true
  }

  #sink(): void {
    let place = 0
    for (;;) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      const [a, b] = [this.#values[left], this.#values[right]]
      if (a === undefined) return
      const better = b !== undefined && this.#isBefore(b, a) ? right : left
      if (!this.#swapIfBefore(better, place)) return
      place = better
    }
  }
}
