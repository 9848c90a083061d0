// Gathers the faults of a reading: counts all, keeps so many, hands them out in the order of the files and lines.
import type { Fault } from './fault.ts'

/** A set of a million broken rows must not cost a million messages of memory. */
export const MOST_FAULTS_KEPT = 1000

export class FaultLog {
  #kept: { readonly file: number; readonly fault: Fault }[] = []
  #left = 0

  /** `file`: which of the files, from 0; files may be named twice. */
  add(file: number, fault: Fault): void {
    if (this.#kept.length < MOST_FAULTS_KEPT) this.#kept.push({ file, fault })
    else this.#left += 1
  }

  get isEmpty(): boolean {
    return this.#kept.length === 0
  }

  /** How many were counted but not kept. */
  get truncated(): number {
    return this.#left
  }

  sorted(): Fault[] {
    return this.#kept
      .toSorted((a, b) => a.file - b.file || (a.fault.line ?? 0) - (b.fault.line ?? 0))
      .map(({ fault }) => fault)
  }
}
