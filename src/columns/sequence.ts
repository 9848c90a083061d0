// Things in an order that can be asked for by their place, whether they are held or made when they are asked for.

/** A plain array is one; others read a thing where it is kept, and hand out a new object each time. */
export interface Sequence<T> extends Iterable<T> {
  readonly length: number
  /** Undefined outside of 0 to `length`. */
  at(place: number): T | undefined
}

/** A sequence that makes each thing when it is asked for. `make` is asked for places from 0 to `length` alone. */
export function sequenceOf<T>(length: number, make: (place: number) => T): Sequence<T> {
  return {
    length,
    at: (place) => (place >= 0 && place < length ? make(place) : undefined),
    *[Symbol.iterator]() {
      for (let place = 0; place < length; place += 1) yield make(place)
    },
  }
}
