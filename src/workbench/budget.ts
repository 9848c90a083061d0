// The calls of a session that count, against `--max-calls`: those that were made, and those that runs and
// questions under way may still make.
import { UsageError } from '../library/index.ts'
import type { Calls } from './api.ts'

export interface Reservation {
  readonly max: number
  made: number
}

export class Budget {
  readonly #max: number
  readonly #underWay = new Set<Reservation>()
  #ended = 0

  constructor(max: number) {
    this.#max = max
  }

  calls(): Calls {
    const made = [...this.#underWay].reduce((sum, reserved) => sum + reserved.made, this.#ended)
    return { made, max: this.#max }
  }

  /** Reserves what is left if that is less. Throws UsageError if it is less than `min`. */
  reserve(wanted: number, min = wanted): Reservation {
    const left = [...this.#underWay].reduce((rest, { max }) => rest - max, this.#max - this.#ended)
    if (left < min)
      throw new UsageError(
        `This session has ${Math.max(0, left)} calls left, and ${min} are wanted. ` +
          'Start view again with a larger --max-calls.',
      )
    const reserved = { max: Math.min(wanted, left), made: 0 }
    this.#underWay.add(reserved)
    return reserved
  }

  /** What was not made can be reserved again. */
  end(reserved: Reservation): void {
    if (this.#underWay.delete(reserved)) this.#ended += reserved.made
  }
}
