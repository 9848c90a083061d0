// The cells of one record by the names of their columns.
import type { ColumnName } from './columns.ts'
import type { Layout } from './layout.ts'
import type { CellReading } from './reading.ts'

export type ReportCell = (column: ColumnName, message: string) => void

export class Cells {
  readonly all: readonly string[]
  readonly #layout: Layout
  readonly #report: ReportCell

  constructor(layout: Layout, all: readonly string[], report: ReportCell) {
    this.#layout = layout
    this.all = all
    this.#report = report
  }

  /** Without its outer white space; empty where there is no such column. */
  text(column: ColumnName): string {
    const index = this.#layout.own[column]
    return index === undefined ? '' : (this.all[index] ?? '').trim()
  }

  /** All cells that are joined into tags. */
  tags(): string[] {
    return this.#layout.tags.map((index) => this.all[index] ?? '')
  }

  /** The cell's value; `undefined` where it is empty, or wrong, which is reported. */
  read<Value>(column: ColumnName, reader: (text: string) => CellReading<Value>): Value | undefined {
    const text = this.text(column)
    if (text === '') return undefined
    const reading = reader(text)
    if (reading.kind === 'value') return reading.value
    this.report(column, reading.message)
    return undefined
  }

  report(column: ColumnName, message: string): void {
    this.#report(column, message)
  }
}
