// Where the journal has its records, in twelve bytes each.
import { NumberList } from '../columns/number-list.ts'
import type { Place } from './read.ts'

export interface PackedPlaces {
  set(number: number, place: Place): void
  /** Offset and length 0 of a number that was not set: no record is so short. */
  at(number: number): Place
}

export function packPlaces(): PackedPlaces {
  const [offsets, lengths] = [new NumberList(Float64Array), new NumberList()]
  return {
    set: (number, { offset, length }) => {
      offsets.set(number, offset)
      lengths.set(number, length)
    },
    at: (number) => ({ offset: offsets.at(number), length: lengths.at(number) }),
  }
}
