// All threads of a run by number: which questions are asked in which order, without an object a thread.
import { NumberList } from '../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../columns/sequence.ts'
import { openThread, type PlannedTurn, type ThreadState } from './thread-state.ts'

export class ThreadTable {
  /** Where the questions of each thread begin in `questions`. */
  readonly #starts = new NumberList()
  readonly #questions = new NumberList()
  readonly #read: (question: number) => PlannedTurn

  /** `read`: the turn of a question, by the number that it was added under. */
  constructor(read: (question: number) => PlannedTurn) {
    this.#read = read
  }

  get length(): number {
    return this.#starts.length
  }

  /** `questions`: numbers in the order of asking, one at least. */
  add(questions: Iterable<number>): void {
    this.#starts.push(this.#questions.length)
    for (const question of questions) this.#questions.push(question)
  }

  turnsOf(thread: number): Sequence<PlannedTurn> {
    return new TurnsOfThread(this, thread)
  }

  sizeOf(thread: number): number {
    const end = thread + 1 < this.#starts.length ? this.#starts.at(thread + 1) : this.#questions.length
    return end - this.#starts.at(thread)
  }

  turnAt(thread: number, place: number): PlannedTurn | undefined {
    if (place < 0 || place >= this.sizeOf(thread)) return undefined
    return this.#read(this.#questions.at(this.#starts.at(thread) + place))
  }

  /** All threads, then all again, as often as they are asked; opened anew each time that one is asked for. */
  open(repeats: number): Sequence<ThreadState> {
    return sequenceOf(this.length * repeats, (place) => {
      const thread = place % this.length
      return openThread(thread, this.turnsOf(thread), Math.floor(place / this.length) + 1)
    })
  }
}

/** A few bytes, however long the thread: many may be open at a time. */
class TurnsOfThread implements Sequence<PlannedTurn> {
  readonly #table: ThreadTable
  readonly #thread: number

  constructor(table: ThreadTable, thread: number) {
    this.#table = table
    this.#thread = thread
  }

  get length(): number {
    return this.#table.sizeOf(this.#thread)
  }

  at(place: number): PlannedTurn | undefined {
    return this.#table.turnAt(this.#thread, place)
  }

  *[Symbol.iterator](): Generator<PlannedTurn> {
    for (let place = 0; place < this.length; place += 1) {
      const turn = this.at(place)
      if (turn !== undefined) yield turn
    }
  }
}
