// The exchanges that are under way, in no order: one is added and one taken away with every call.
import type { Exchange } from './exchange.ts'

/**
 * Not a Set: with as many deletions as additions it makes a new table again and again, the old one leads to the new, and
 * once the engine keeps one of them for long it keeps what every later one held: all exchanges until the next full
 * collection, a seventh of what a call costs.
 */
export class UnderWay implements Iterable<Exchange> {
  readonly #all: Exchange[] = []

  add(exchange: Exchange): void {
    exchange.place = this.#all.push(exchange) - 1
  }

  /** Nothing where it is not there any more. */
  remove(exchange: Exchange): void {
    const { place } = exchange
    if (this.#all[place] !== exchange) return
    const last = this.#all.pop()
    if (last === undefined || last === exchange) return
    this.#all[place] = last
    last.place = place
  }

  /** Those that are there now, whatever becomes of them meanwhile. */
  [Symbol.iterator](): IterableIterator<Exchange> {
    return [...this.#all].values()
  }
}
