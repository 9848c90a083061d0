// What an importer is: another tool's records in, records of our own columns out, and an account of what became of them.
import { findColumn, type ColumnName } from '../columns.ts'
import type { ColumnFault } from '../header.ts'
import type { CsvRecord } from '../records.ts'
import type { Remark } from '../table-listener.ts'
import type { Account } from './account.ts'

/** A column that an importer makes: one of ours, or (without `column`) an ordinary one that is carried along. */
export interface ImportedColumn {
  readonly header: string
  readonly column?: ColumnName
}

export interface ImportContext {
  /** Takes a record of the imported columns, at the line of the question it is. */
  readonly emit: (record: CsvRecord) => void
  readonly fail: (remark: Remark) => void
  readonly account: Account
}

/** Works on one file. What it holds back is one question at most: files of a million rows stream through. */
export interface Translator {
  /** A record of the other tool's file, its shape checked. */
  readonly take: (record: CsvRecord) => void
  /** After the last record: hands on what is still held. */
  readonly end: () => void
}

/** A header of another tool's, understood. */
export interface Import {
  readonly kind: 'import'
  /** As in "read as a promptfoo set". */
  readonly title: string
  readonly columns: readonly ImportedColumn[]
  readonly start: (context: ImportContext) => Translator
}

export type ImportReading = Import | { readonly kind: 'faulty'; readonly faults: readonly ColumnFault[] }

export interface Importer {
  /** As `--format` names it. */
  readonly name: string
  /** Whether the whole header says that the file is the tool's. */
  readonly recognises: (header: readonly string[]) => boolean
  /** Also of a header that is not recognised: then the format was named. */
  readonly read: (header: readonly string[]) => ImportReading
}

export const column = (name: ColumnName): ImportedColumn => ({ header: name, column: name })
export const ordinary = (header: string): ImportedColumn => ({ header })

/**
 * A column of the other tool's that is carried along: under one of our own names, which mean what they say; else as an
 * ordinary one. In results it must not pass for the reference answer, which has other names.
 */
export function carried(header: string, made: readonly ColumnName[]): ImportedColumn {
  const found = findColumn(header)
  if (found?.isOwn === true && !made.includes(found.name)) return column(found.name)
  return ordinary(found?.name === 'expect_answer' ? `${header} (imported)` : header)
}
