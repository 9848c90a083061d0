// In what steps the times of a ledger go: milliseconds, seconds, or the hours and days of totals.
import { DAY } from './time.ts'

/** The greatest first. Quarters and half hours are steps of totals, too. */
const STEPS = [DAY, 3_600_000, 1_800_000, 900_000, 60_000, 1000] as const

/** So many calls are not all made on a whole minute by chance. */
const ENOUGH = 3

/** Finds the greatest step that all times of a file are multiples of. */
export class StepFinder {
  #times = 0
  #written = Infinity
  readonly #holds = new Set<number>(STEPS)

  /** `local`: as the clocks showed it. `written`: the least that the text says. */
  add(local: number, written: number): void {
    this.#times += 1
    this.#written = Math.min(this.#written, written)
    for (const step of this.#holds) if (local % step !== 0) this.#holds.delete(step)
  }

  /** Milliseconds; undefined without times. `areTotals`: a column counts calls, so one whole hour is enough. */
  finish(areTotals: boolean): number | undefined {
    if (this.#times === 0) return undefined
    const isEnough = areTotals || this.#times >= ENOUGH
    const step = STEPS.find((one) => this.#holds.has(one) && (isEnough || one <= 1000))
    // What is not written is not known, however few the rows.
    return Math.max(step ?? 1, this.#written)
  }
}
