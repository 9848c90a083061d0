// What the reading of one file tells: its questions, and what is wrong or odd.
import type { Layout } from './layout.ts'
import type { Row } from './row.ts'

export interface Remark {
  readonly line?: number
  readonly column?: string
  readonly message: string
}

export interface TableListener {
  readonly fail: (remark: Remark) => void
  /** Remarks of one `kind` (the message itself by default) are told once a file, with their count. */
  readonly warn: (remark: Remark, kind?: string) => void
  /** Takes an id for a line; what is wrong if another row has it. */
  readonly takeId: (id: string, line: number) => string | undefined
  /** A question, in the order of the file. */
  readonly row: (row: Row, layout: Layout) => void
}
