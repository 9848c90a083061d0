// The rows under a header: each read, folded if it is a repeat, and given its place in a thread.
import { Cells } from './cells.ts'
import type { Layout } from './layout.ts'
import { Placement } from './placement.ts'
import type { CsvRecord } from './records.ts'
import { Repeats } from './repeats.ts'
import { undoDefusing } from './defusing.ts'
import { readRow, type Row } from './row.ts'
import type { TableListener } from './table-listener.ts'
import { ThreadRefs } from './thread-refs.ts'

export class TableBody {
  readonly #layout: Layout
  readonly #listener: TableListener
  readonly #placement: Placement
  readonly #refs = new ThreadRefs()
  /** Only of a `results.csv`. */
  readonly #repeats: Repeats | undefined
  #isThreadTold = false

  constructor(layout: Layout, listener: TableListener) {
    this.#layout = layout
    this.#listener = listener
    this.#repeats = layout.repeat === undefined ? undefined : new Repeats(layout)
    this.#placement = new Placement(layout.repeat !== undefined)
  }

  take(record: CsvRecord): void {
    const { line } = record
    const layout = this.#layout
    const cells = layout.repeat === undefined ? record.cells : record.cells.map(undoDefusing)
    const read = new Cells(layout, cells, (column, message) => this.#listener.fail({ line, column, message }))
    const row = readRow(read, line)
    if (this.#isFolded(row)) return
    this.#checkTurn(row)
    this.#takeId(row)
    const thread = this.#placement.place(row)
    this.#noteRef(row, thread)
    this.#listener.row(row, layout)
  }

  /** A record could not be read: what looks like a gap in a thread may be its place. */
  lose(): void {
    this.#placement.lose()
  }

  threads(isWhole: boolean): Generator<readonly number[]> {
    if (!isWhole) this.#placement.lose()
    return this.#placement.threads((fault) => this.#listener.fail({ ...fault, column: 'turn' }))
  }

  #isFolded(row: Row): boolean {
    const folding = this.#repeats?.fold(row)
    if (folding?.kind === 'differs')
      this.#listener.fail({
        line: row.line,
        column: 'message',
        message: `a repeat of the question in line ${folding.line}, but with another message, tags or columns; make them alike, or delete one of the rows`,
      })
    return folding !== undefined && folding.kind !== 'first'
  }

  #checkTurn({ thread, turn, line }: Row): void {
    if (thread !== '' || turn === undefined || turn <= 1 || this.#repeats !== undefined) return
    const isColumnThere = this.#layout.own.thread !== undefined
    const message = isColumnThere
      ? `turn ${turn} in a row without a thread, which would be a conversation of its own; name its thread, or empty the turn`
      : `turn ${turn}, but no column names the thread; add the column "thread" (or conversation), or delete the turns`
    if (isColumnThere) this.#listener.fail({ line, column: 'turn', message })
    else if (!this.#isThreadTold) this.#listener.fail({ line, column: 'thread', message })
    this.#isThreadTold ||= !isColumnThere
  }

  #takeId({ id, line }: Row): void {
    const message = id === '' ? undefined : this.#listener.takeId(id, line)
    if (message !== undefined) this.#listener.fail({ line, column: 'id', message })
  }

  #noteRef({ endUserRef, line }: Row, thread: number): void {
    if (this.#layout.own.end_user_ref !== undefined && !this.#refs.agrees(thread, endUserRef))
      this.#listener.warn({
        line,
        column: 'end_user_ref',
        message:
          'end_user_ref is not that of the row the thread begins with; one conversation is meant for one end user',
      })
  }
}
