// Threads that no sitting has begun yet, in the order in which they are to be: sorted once, a number each.
import { NumberList } from '../columns/number-list.ts'
import type { Sequence } from '../columns/sequence.ts'
import { turnsLeft, type ThreadState } from './thread-state.ts'

/** The order is that of the ready queue. Each thread is looked at once, and opened again when it is the next. */
export class WaitingList {
  readonly #threads: Sequence<ThreadState>
  readonly #order: Uint32Array
  #taken = 0
  #next: ThreadState | undefined = undefined

  constructor(threads: Sequence<ThreadState>) {
    this.#threads = threads
    this.#order = inOrder(threads)
  }

  get size(): number {
    return this.#order.length - this.#taken
  }

  /** The next one, opened. */
  peek(): ThreadState | undefined {
    const place = this.#order[this.#taken]
    if (place !== undefined) this.#next ??= this.#threads.at(place)
    return this.#next
  }

  take(): ThreadState | undefined {
    const thread = this.peek()
    this.#next = undefined
    if (this.#taken < this.#order.length) this.#taken += 1
    return thread
  }
}

/** Places of the threads that are not at their end: those refused once first, then the most turns left, then the set's order. */
function inOrder(threads: Sequence<ThreadState>): Uint32Array {
  const places = new NumberList()
  const [lefts, orders, repeats] = [new NumberList(), new NumberList(), new NumberList()]
  const wasRefused = new NumberList(Uint8Array)
  let place = 0
  for (const thread of threads) {
    lefts.set(place, turnsLeft(thread))
    orders.set(place, thread.order)
    repeats.set(place, thread.repeat)
    wasRefused.set(place, thread.tries > 0 ? 1 : 0)
    if (turnsLeft(thread) > 0) places.push(place)
    place += 1
  }
  const compare = (a: number, b: number): number =>
    wasRefused.at(b) - wasRefused.at(a) ||
    lefts.at(b) - lefts.at(a) ||
    orders.at(a) - orders.at(b) ||
    repeats.at(a) - repeats.at(b)
  return Uint32Array.from(places).sort(compare)
}
