// Folding the repeats of a `results.csv` into one question, without keeping the rows.
import type { Layout } from './layout.ts'
import { fingerprint32 } from '../columns/fingerprint.ts'
import { NumberList } from '../columns/number-list.ts'
import { NameIndex } from '../columns/name-index.ts'
import type { Row } from './row.ts'

export type Folding =
  /** The first of its question, or one that is no repeat of another. */
  | { readonly kind: 'first' }
  | { readonly kind: 'repeat' }
  /** `line`: of the first. */
  | { readonly kind: 'differs'; readonly line: number }

export class Repeats {
  readonly #index = new NameIndex()
  readonly #lines = new NumberList()
  readonly #repeats = new NumberList()
  readonly #contents = new NumberList()
  readonly #layout: Layout

  constructor(layout: Layout) {
    this.#layout = layout
  }

  /** Rows of one id, thread and turn are repeats if their numbers differ; else the id stands twice. */
  fold(row: Row): Folding {
    if (row.id === '') return { kind: 'first' }
    const repeat = Number.parseInt(row.cells[this.#layout.repeat ?? -1] ?? '', 10) || 0
    const known = this.#index.size
    const number = this.#index.add(JSON.stringify([row.id, row.thread, row.turn]))
    const content = fingerprint32(this.#contentOf(row))
    if (number === known) {
      this.#lines.push(row.line)
      this.#repeats.push(repeat)
      this.#contents.push(content)
      return { kind: 'first' }
    }
    if (this.#repeats.at(number) === repeat) return { kind: 'first' }
    // What is said to differ does; one of four billion that differ goes unseen.
    return this.#contents.at(number) === content
      ? { kind: 'repeat' }
      : { kind: 'differs', line: this.#lines.at(number) }
  }

  /** What is asked and expected: all of a row that is no result. */
  #contentOf({ message, tags, cells }: Row): string {
    return JSON.stringify([
      message,
      tags,
      this.#layout.carried.map(({ index }) => cells[index]?.trim() ?? ''),
    ])
  }
}
