// Names for questions that bring none: the same in every run, whatever stands around them in the file.
import { hash } from 'node:crypto'
import { NameIndex } from '../columns/name-index.ts'
import { NumberList } from '../columns/number-list.ts'

export interface Nameless {
  /** The thread's cell, empty if there is none. */
  readonly thread: string
  /** The turn's number as written; `undefined` if there is none. */
  readonly turn: number | undefined
  readonly message: string
}

/** `q-` and 64 bits of SHA-256; `occurrence` counts equal questions, from 1. */
export function deriveId({ thread, turn, message }: Nameless, occurrence: number): string {
  const text = JSON.stringify([thread, turn ?? '', message, occurrence])
  return `q-${hash('sha256', text, 'hex').slice(0, 16)}`
}

/** Derives ids for one run after another; an id that is taken, by whomever, is passed over. Keeps no id as text. */
export class IdDeriver {
  readonly #taken = new NameIndex()
  /** By the number of the id of its first occurrence, how often a question came. */
  readonly #occurrences = new NumberList()

  /** `written`: the ids that stand in the files, of all of the run. They come first. */
  constructor(written: Iterable<string>) {
    for (const id of written) this.take(id)
  }

  /** An id that stands in a file; to be told before any is derived. */
  take(id: string): void {
    this.#taken.add(id)
  }

  derive(question: Nameless): string {
    return this.deriveOccurrence(question).id
  }

  /** With the occurrence of equal questions that this one is taken for: from it `deriveId` gives the id at any time. */
  deriveOccurrence(question: Nameless): { readonly id: string; readonly occurrence: number } {
    const first = deriveId(question, 1)
    const known = this.#taken.find(first)
    if (known === undefined) {
      this.#occurrences.set(this.#taken.add(first), 1)
      return { id: first, occurrence: 1 }
    }
    let occurrence = this.#occurrences.at(known) + 1
    let id = deriveId(question, occurrence)
    while (this.#taken.find(id) !== undefined) {
      occurrence += 1
      id = deriveId(question, occurrence)
    }
    this.#taken.add(id)
    this.#occurrences.set(this.#taken.add(first), occurrence)
    return { id, occurrence }
  }
}
