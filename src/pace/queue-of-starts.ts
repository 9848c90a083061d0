// Who waits for leave, in the order in which they came; whoever gives up leaves the middle.
import type { Permit } from './limiter.ts'

export type Start = (permit: Permit | undefined) => void

/** So many places that are done with are let go of at once. */
const SPENT = 1024

/**
 * Not a Set, though it could be one: a Set that gains and loses one with every call leaves a chain of tables, and with it what
 * every call held, to the next full collection.
 */
export class QueueOfStarts {
  #waiting: (Start | undefined)[] = []
  #head = 0

  push(start: Start): void {
    this.#waiting.push(start)
  }

  /** The one that came first; undefined where nobody waits. */
  peek(): Start | undefined {
    for (; this.#head < this.#waiting.length; this.#head += 1) {
      const start = this.#waiting[this.#head]
      if (start !== undefined) return start
    }
    this.#letGo()
    return undefined
  }

  /** Takes away the one that `peek` gave. */
  drop(): void {
    this.#waiting[this.#head] = undefined
    this.#head += 1
    if (this.#head === this.#waiting.length || this.#head >= SPENT) this.#letGo()
  }

  /** Whether it waited still. */
  remove(start: Start): boolean {
    const place = this.#waiting.indexOf(start, this.#head)
    if (place === -1) return false
    this.#waiting[place] = undefined
    return true
  }

  /** All of them, in their order; none is left. */
  clear(): Start[] {
    const left = this.#waiting.slice(this.#head).filter((start) => start !== undefined)
    this.#waiting = []
    this.#head = 0
    return left
  }

  #letGo(): void {
    if (this.#head === this.#waiting.length) this.#waiting.length = 0
    else this.#waiting.splice(0, this.#head)
    this.#head = 0
  }
}
