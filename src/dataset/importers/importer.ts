// What an importer is: another tool's records in, records of our own columns out, and an account of what became of them.
import { findColumn, type ColumnName } from '../columns.ts'
import { digits } from '../../domain/digits.ts'
import type { CsvRecord } from '../csv.ts'
import type { HeaderFault, Remark } from '../remarks.ts'

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

export type ImportReading = Import | { readonly kind: 'faulty'; readonly faults: readonly HeaderFault[] }

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

interface Entry {
  count: number
  /** Where it was first met. */
  readonly line: number
}

/** A kind of thing that was lost, or changed its meaning, in the singular; and why, in a few words. */
export interface Reason {
  readonly what: string
  readonly why: string
}

/** Kinds come from fixed lists, never from the cells: the account of a million rows is as long as that of ten. */
export class Account {
  #questions = 0
  readonly #mapped = new Map<string, number>()
  readonly #lost = new Map<Reason, Entry>()
  readonly #changed = new Map<Reason, Entry>()

  /** No question was handed on. */
  get isEmpty(): boolean {
    return this.#questions === 0
  }

  addQuestion(): void {
    this.#questions += 1
  }

  /** Kept with its meaning, or near it: "contains". */
  mapped(what: string): void {
    this.#mapped.set(what, (this.#mapped.get(what) ?? 0) + 1)
  }

  lost(reason: Reason, line: number): void {
    count(this.#lost, reason, line)
  }

  /** Mapped, but looser, stricter, or otherwise not the same. */
  changed(reason: Reason, line: number): void {
    count(this.#changed, reason, line)
  }

  /** One line that says all in numbers, then one for each kind that was lost or changed, with its reason. */
  lines(title: string): Remark[] {
    const lost = [...this.#lost].map(([{ what }, entry]) => `${what} ${digits(entry.count)}`)
    const parts = [
      `read as ${title}: ${digits(this.#questions)} ${this.#questions === 1 ? 'question' : 'questions'}`,
      ...listPart(
        'mapped',
        [...this.#mapped].map(([what, number]) => `${what} ${digits(number)}`),
      ),
      ...listPart('lost', lost),
    ]
    return [
      { message: parts.join('; ') },
      ...[...this.#lost, ...this.#changed].map(([{ what, why }, entry]) => ({
        line: entry.line,
        message: `${what} (${digits(entry.count)}): ${why}`,
      })),
    ]
  }
}

function count(entries: Map<Reason, Entry>, reason: Reason, line: number): void {
  const entry = entries.get(reason)
  if (entry === undefined) entries.set(reason, { count: 1, line })
  else entry.count += 1
}

const listPart = (name: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${name}: ${items.join(', ')}`]
