// A set as the workbench edits it; texts are untrusted. No zod, not even a type: the client reads this.

/**
 * A set with this column is a part of a run, such as questions that are sent again; the cell is the id of
 * that run. A comparison takes no question that is not in such a set as removed.
 */
export const PART_COLUMN = 'part_of'

/** Rows stand as in the file; a workbook's cells as they are displayed. */
export interface SetTable {
  /** A column without a name is empty. Titles above the header are left out. */
  readonly columns: readonly string[]
  readonly rows: readonly SetRow[]
  /** The columns of the file may be read as these columns of a question set. */
  readonly known: readonly string[]
  /**
   * False for a set that is shipped, for the results of a run, and where the table lacks rows that cannot be
   * read: saving would lose them.
   */
  readonly isEditable: boolean
}

export interface SetRow {
  readonly line: number
  /** Each column has one; more are only in a row with that fault. */
  readonly cells: readonly string[]
}

export interface SetFault {
  /** The row's first line in the file counts from 1; null is the whole file. */
  readonly line: number | null
  /** Its row of the table counts from 0; absent for the header and the whole file. */
  readonly row?: number
  readonly message: string
}

/** What takes a change back: nothing else may have changed the file since. */
export interface SetChange {
  /** Identifies the file as the change left it. */
  readonly digest: string
  readonly isNew: boolean
}

/** The `path` is that of the CSV file, beside a workbook; `change` is null where the file was so already. */
export type SavedSet =
  | { readonly kind: 'saved'; readonly path: string; readonly change: SetChange | null }
  /** Nothing was written. Lines count empty rows, too: the header is line 1. */
  | { readonly kind: 'faulty'; readonly faults: readonly SetFault[] }
