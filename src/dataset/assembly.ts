// Rows and their order to threads: names are found, turns numbered from 1; some bytes a row, and no text of it, are held.
import { CountList } from '../columns/count-list.ts'
import { NameIndex } from '../columns/name-index.ts'
import { NumberList } from '../columns/number-list.ts'
import type { Question, Thread } from '../domain/question.ts'
import { createQuestion, type Draft } from './draft.ts'
import { deriveId, IdDeriver } from './identity.ts'
import { threadsOf, type Threads } from './threads.ts'

/** The rows of all files, by number, read again at any time. */
export interface Drafts {
  readonly length: number
  /** Whether all of them are in memory, where an id that was derived may stay, too. */
  readonly isHeld: boolean
  at(row: number): Draft
}

export class Assembly {
  readonly #drafts: Drafts
  #ids = new IdDeriver([])
  /** Of a file: the names that its threads have. */
  readonly #names: NameIndex[] = []
  /** Of a file: its first row. */
  readonly #firstRows: number[] = []
  /** Of a thread: where its rows begin in `members`. */
  readonly #starts = new NumberList()
  readonly #members = new NumberList()
  /** Of a row without an id: which occurrence of equal questions it is. */
  readonly #occurrences = new CountList()
  /** Of a row without an id, its own; of rows that are not held none, which is derived again. */
  readonly #derived = new Map<number, string>()
  /** Of a thread without a name whose id is the name of another: the number that tells them apart. */
  readonly #suffixes = new CountList()

  constructor(drafts: Drafts) {
    this.#drafts = drafts
  }

  beginFile(): void {
    this.#names.push(new NameIndex())
    this.#firstRows.push(this.#drafts.length)
  }

  /** Of each row, as it comes: names that stand in the files come before those that are found. */
  see({ id, thread }: Pick<Draft, 'id' | 'thread'>): void {
    if (id !== '') this.#ids.take(id)
    if (thread !== '') this.#names.at(-1)?.add(thread)
  }

  /** `rows`: numbers of rows of the file at hand, in the order of the turns. */
  addThread(rows: readonly number[]): void {
    if (rows.length === 0) return
    this.#starts.push(this.#members.length)
    for (const row of rows) this.#members.push((this.#firstRows.at(-1) ?? 0) + row)
  }

  /** After the last file. */
  finish(): Threads {
    for (let thread = 0; thread < this.#starts.length; thread += 1) this.#name(thread)
    // What told names apart is not needed any more.
    this.#ids = new IdDeriver([])
    this.#names.length = 0
    return threadsOf({
      length: this.#starts.length,
      make: (thread) => this.#make(thread),
      turnAt: (thread, place) => (place < this.#sizeOf(thread) ? this.#turnAt(thread, place) : undefined),
    })
  }

  #name(thread: number): void {
    const first = this.#rowAt(thread, 0)
    for (let place = 0; place < this.#sizeOf(thread); place += 1) {
      const row = this.#rowAt(thread, place)
      const draft = this.#drafts.at(row)
      if (draft.id === '') this.#derive(row, draft)
      if (row === first && draft.thread === '') this.#suffixes.set(thread, this.#suffixOf(row, draft))
    }
  }

  #derive(row: number, draft: Draft): void {
    const { id, occurrence } = this.#ids.deriveOccurrence(draft)
    this.#occurrences.set(row, occurrence)
    if (this.#drafts.isHeld) this.#derived.set(row, id)
  }

  /** A question without a thread is in one of its own, named like its id; a thread that has that name keeps it. */
  #suffixOf(row: number, draft: Draft): number {
    const names = this.#names[this.#fileOf(row)]
    const id = this.#idOf(row, draft)
    let number = 1
    while (names?.find(nameAlone(id, number)) !== undefined) number += 1
    names?.add(nameAlone(id, number))
    return number
  }

  #make(thread: number): Thread {
    const [first, ...rest] = Array.from({ length: this.#sizeOf(thread) }, (_, place) =>
      this.#turnAt(thread, place),
    )
    if (first === undefined) throw new RangeError(`no thread ${thread}`)
    return { name: first.thread, turns: [first, ...rest] }
  }

  #turnAt(thread: number, place: number): Question {
    const row = this.#rowAt(thread, place)
    const draft = this.#drafts.at(row)
    const id = this.#idOf(row, draft)
    return createQuestion(draft, {
      id,
      // A thread without a name has one question.
      thread: draft.thread === '' ? nameAlone(id, this.#suffixes.at(thread)) : draft.thread,
      turn: place + 1,
      file: this.#fileOf(row),
    })
  }

  #idOf(row: number, draft: Draft): string {
    if (draft.id !== '') return draft.id
    return this.#derived.get(row) ?? deriveId(draft, this.#occurrences.at(row))
  }

  #sizeOf(thread: number): number {
    const end = thread + 1 < this.#starts.length ? this.#starts.at(thread + 1) : this.#members.length
    return end - this.#starts.at(thread)
  }

  #rowAt(thread: number, place: number): number {
    return this.#members.at(this.#starts.at(thread) + place)
  }

  #fileOf(row: number): number {
    return this.#firstRows.findLastIndex((first) => first <= row)
  }
}

const nameAlone = (id: string, number: number): string => (number === 1 ? id : `${id} (${number})`)
