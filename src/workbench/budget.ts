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
  readonly #isCounted: (target: string) => boolean
  readonly #changed: () => void
  readonly #underWay = new Set<Reservation>()
  #ended = 0

  /** `changed` is called when what was reserved has ended. */
  constructor(max: number, isCounted: (target: string) => boolean, changed: () => void) {
    this.#max = max
    this.#isCounted = isCounted
    this.#changed = changed
  }

  calls(): Calls {
    const made = [...this.#underWay].reduce((sum, reserved) => sum + reserved.made, this.#ended)
    return { made, max: this.#max }
  }

  /**
   * Reserves what is left if that is less; calls that do not count are in no account. Throws UsageError if
   * it is less than `min`, or if calls that cost have no number.
   */
  reserve(target: string, wanted: number | null, min = wanted): Reservation {
    if (!this.#isCounted(target)) return { max: wanted ?? Infinity, made: 0 }
    if (wanted === null || min === null) throw new UsageError('Give the run a budget: its calls cost.')
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
    this.#changed()
  }
}
