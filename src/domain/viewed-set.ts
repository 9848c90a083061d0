// A question set as the workbench shows and edits it. Its texts are untrusted. No zod here, not even a type:
// the workbench takes it into the browser.

/** A set as its rows stand in the file; a workbook's cells as they are displayed. */
export interface SetTable {
  /** The header; a column without a name is empty. Titles above it are left out. */
  readonly columns: readonly string[]
  readonly rows: readonly SetRow[]
  /** The columns of a question set, as which those of the file may be read. */
  readonly known: readonly string[]
  /**
   * False for a set that is shipped, for the results of a recorded run, and where the table lacks rows that
   * cannot be read: saving it would lose them.
   */
  readonly isEditable: boolean
}

export interface SetRow {
  readonly line: number
  /** At least one for each column; more only in a row with that fault. */
  readonly cells: readonly string[]
}

export interface SetFault {
  /** The row's first line in the file, from 1; null for the whole file. */
  readonly line: number | null
  /** Its row of the table, from 0; absent for the header and the whole file. */
  readonly row?: number
  readonly message: string
}

/** What became of a set that was to be saved. `path`: of the CSV file, beside a workbook. */
export type SavedSet =
  | { readonly kind: 'saved'; readonly path: string }
  /** Nothing was written. Lines count empty rows, too: the header is line 1. */
  | { readonly kind: 'faulty'; readonly faults: readonly SetFault[] }
