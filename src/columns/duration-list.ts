// Durations in milliseconds, in no order: four bytes each where they are whole microseconds, as a journal has them.
import { NumberList } from './number-list.ts'

/** Each comes back as it was, to the last bit. */
export class DurationList {
  readonly #microseconds = new NumberList()
  /** Those that are no whole microseconds, or longer than an hour: milliseconds. */
  readonly #others = new NumberList(Float64Array)

  get length(): number {
    return this.#microseconds.length + this.#others.length
  }

  push(ms: number): void {
    const whole = Math.round(ms * 1000)
    if (whole >= 0 && whole < 2 ** 32 && whole / 1000 === ms) this.#microseconds.push(whole)
    else this.#others.push(ms)
  }

  *[Symbol.iterator](): Generator<number> {
    for (const whole of this.#microseconds) yield whole / 1000
    yield* this.#others
  }

  /** Into the beginning of `room`, which is long enough; returns that part of it. */
  copyTo(room: Float64Array): Float64Array {
    let place = 0
    for (const ms of this) room[place++] = ms
    return room.subarray(0, place)
  }

  /** Lets go of all. */
  clear(): void {
    this.#microseconds.clear()
    this.#others.clear()
  }
}
