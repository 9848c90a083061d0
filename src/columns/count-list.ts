// A list of counts that are nearly always small: one byte each, and the few large ones beside them.
import { NumberList } from './number-list.ts'

/** Stands for a count that is kept beside the list. */
const LARGE = 255

export class CountList {
  readonly #small = new NumberList(Uint8Array)
  readonly #large = new Map<number, number>()

  at(place: number): number {
    const small = this.#small.at(place)
    return small === LARGE ? (this.#large.get(place) ?? 0) : small
  }

  /** `count`: whole, from 0 on. */
  set(place: number, count: number): void {
    if (count < LARGE) this.#large.delete(place)
    else this.#large.set(place, count)
    this.#small.set(place, Math.min(count, LARGE))
  }

  add(place: number, more: number): void {
    this.set(place, this.at(place) + more)
  }
}
