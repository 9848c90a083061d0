// Which row of a file belongs to which thread, in numbers: what a million rows leave behind while they stream by.
import { excerpt } from './excerpt.ts'
import { NumberList } from '../columns/number-list.ts'
import { NameIndex } from '../columns/name-index.ts'
import type { Row } from './row.ts'
import { orderTurns, type TurnFault, type TurnPlace } from './turn-order.ts'

/** Stand for turns that are no number; the numbers themselves are far smaller. */
const NO_TURN = 0xffffffff
const WRONG_TURN = 0xfffffffe

/** Names that messages may show are kept up to here; other threads are "this thread". */
const MOST_NAMES = 10_000
const LONGEST_NAME = 60

export class Placement {
  readonly #index = new NameIndex()
  /** By number of the name: the thread's number. Threads without a name have no entry. */
  readonly #threadOfName = new NumberList()
  readonly #names = new Map<number, string>()
  #threads = 0
  readonly #threadOfRow = new NumberList()
  readonly #turns = new NumberList()
  readonly #lines = new NumberList()
  #mayHaveGaps: boolean

  /** `closesGaps`: missing turns are no fault in this file. */
  constructor(closesGaps: boolean) {
    this.#mayHaveGaps = closesGaps
  }

  /** Gives the number of the row's thread, from 0. */
  place({ thread, turn, isTurnWrong, line }: Row): number {
    const number = thread === '' ? this.#threads++ : this.#numberOf(thread)
    this.#threadOfRow.push(number)
    // A row without a thread is alone in it: its number says nothing.
    this.#turns.push(isTurnWrong ? WRONG_TURN : thread === '' ? NO_TURN : (turn ?? NO_TURN))
    this.#lines.push(line)
    return number
  }

  /** A row could not be read: what looks like a gap may be its place. */
  lose(): void {
    this.#mayHaveGaps = true
  }

  /** The threads in the order of their first rows, each as its rows' numbers in the order of the turns. */
  *threads(report: (fault: TurnFault) => void): Generator<readonly number[]> {
    const { starts, rows } = this.#groupRows()
    for (let thread = 0; thread < this.#threads; thread += 1) {
      const members = rows.subarray(starts[thread], starts[thread + 1])
      if (members.length === 1 && this.#turns.at(members[0] ?? 0) === NO_TURN) yield [...members]
      else yield this.#order(thread, [...members], report)
    }
  }

  #order(thread: number, members: readonly number[], report: (fault: TurnFault) => void): readonly number[] {
    const places = members.map((row): TurnPlace => {
      const turn = this.#turns.at(row)
      return { row, line: this.#lines.at(row), turn: turn === NO_TURN ? undefined : turn }
    })
    // A turn that could not be read has its own fault, and those around it are not to be judged.
    if (places.some(({ turn }) => turn === WRONG_TURN)) return members
    const name = this.#names.get(thread)
    const { order, faults } = orderTurns(
      places,
      name === undefined ? 'this thread' : `thread ${excerpt(name)}`,
      this.#mayHaveGaps,
    )
    faults.forEach(report)
    return order.map(({ row }) => row)
  }

  /** Rows sorted by thread, in their order within: a count of each thread's rows gives where it begins. */
  #groupRows(): { readonly starts: Uint32Array; readonly rows: Uint32Array } {
    const starts = new Uint32Array(this.#threads + 1)
    for (let row = 0; row < this.#lines.length; row += 1) {
      const next = this.#threadOfRow.at(row) + 1
      starts[next] = (starts[next] ?? 0) + 1
    }
    for (let thread = 0; thread < this.#threads; thread += 1)
      starts[thread + 1] = (starts[thread + 1] ?? 0) + (starts[thread] ?? 0)
    const free = starts.slice()
    const rows = new Uint32Array(this.#lines.length)
    for (let row = 0; row < this.#lines.length; row += 1) {
      const thread = this.#threadOfRow.at(row)
      const at = free[thread] ?? 0
      rows[at] = row
      free[thread] = at + 1
    }
    return { starts, rows }
  }

  #numberOf(name: string): number {
    const known = this.#index.size
    const index = this.#index.add(name)
    if (index < known) return this.#threadOfName.at(index)
    const thread = this.#threads++
    this.#threadOfName.push(thread)
    if (this.#names.size < MOST_NAMES && name.length <= LONGEST_NAME) this.#names.set(thread, name)
    return thread
  }
}
