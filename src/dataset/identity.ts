// Names for questions that bring none: the same in every run, whatever stands around them in the file.
import { hash } from 'node:crypto'

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

/** Derives ids for one run after another; an id that is taken, by whomever, is passed over. */
export class IdDeriver {
  readonly #taken: Set<string>
  /** By the id of its first occurrence, how often a question came. */
  readonly #occurrences = new Map<string, number>()

  /** `written`: the ids that stand in the files, of all of the run. They come first. */
  constructor(written: Iterable<string>) {
    this.#taken = new Set(written)
  }

  derive(question: Nameless): string {
    const first = deriveId(question, 1)
    let occurrence = (this.#occurrences.get(first) ?? 0) + 1
    let id = occurrence === 1 ? first : deriveId(question, occurrence)
    while (this.#taken.has(id)) {
      occurrence += 1
      id = deriveId(question, occurrence)
    }
    this.#occurrences.set(first, occurrence)
    this.#taken.add(id)
    return id
  }
}
