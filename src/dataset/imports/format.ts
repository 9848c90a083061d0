// Another tool's question set: a table of its columns and what becomes of each, and an account of what was mapped and lost.
import { digits } from '../../domain/text.ts'
import { COLUMN_NAMES, columnKey, findColumn, type ColumnName } from '../columns.ts'
import type { CsvRecord } from '../csv.ts'
import { excerpt, excerptList } from '../excerpt.ts'
import { createImportedLayout, listPlaces, type Layout } from '../layout.ts'
import type { FileRemarks, HeaderFault } from '../remarks.ts'

export interface Format {
  /** As `--format` names it. */
  readonly name: string
  /** As in "read as a promptfoo set". */
  readonly title: string
  /** Whether the whole header is the tool's. `headers`: without empty ones; `keys`: as they are compared. */
  readonly recognises: (keys: readonly string[], headers: readonly string[]) => boolean
  /** Columns that must be there. */
  readonly needs: readonly string[]
  /** By the headers that are there. */
  readonly columns: (headers: readonly string[]) => readonly Rule[]
  /** Of a format whose rows are not questions each: makes the reader of one file's rows. */
  readonly start?: () => (row: ForeignRow, out: Importing) => void
}

/**
 * A column, by its name or (a pattern) by its header as written, and what becomes of its cells: the text of one of our columns, what a function makes
 * of them, nothing for the reason that is given, or what `start` does. Columns without a rule are carried along under their own names.
 */
export type Rule = readonly [
  column: string | RegExp,
  to: ColumnName | CellReader | { readonly lost: string } | 'row',
]
export type CellReader = (cell: string, draft: Draft, out: Importing, column: string) => void

/** A question in the making. */
export interface Draft {
  readonly line: number
  /** What stands in each of our columns, one after the other. */
  readonly fields: Map<ColumnName, readonly string[]>
  readonly add: (field: ColumnName, text: string) => void
  readonly kept: string[]
}

export interface ForeignRow {
  readonly line: number
  /** Trimmed; empty where there is no such column. */
  readonly cell: (name: string) => string
  /** With its white space. */
  readonly raw: (name: string) => string
  readonly cells: readonly string[]
}

export interface ForeignHeader {
  readonly places: readonly {
    readonly header: string
    readonly index: number
    readonly to: Rule[1] | 'kept'
  }[]
}

/** Which column becomes what, or what is wrong with the header. */
export function readForeignHeader(
  { title, needs, columns }: Format,
  header: readonly string[],
): ForeignHeader | { readonly faults: readonly HeaderFault[] } {
  const named = listPlaces(header).filter((place) => place.header !== '')
  const keys = named.map((place) => columnKey(place.header))
  const missing = needs.filter((name) => !keys.includes(columnKey(name)))
  if (missing.length > 0) {
    const found = excerptList(named.map((place) => place.header))
    const message = `${title} needs ${excerptList(missing)} (found: ${found}); name the columns so, or leave out --format`
    return { faults: [{ column: missing[0] ?? '', message }] }
  }
  const rules = columns(named.map((place) => place.header))
  const places = named.map(({ header: name, index }) => {
    const rule = rules.find(([column]) =>
      typeof column === 'string' ? columnKey(column) === columnKey(name) : column.test(name),
    )
    return { header: name, index, to: rule?.[1] ?? ownColumn(name) ?? ('kept' as const) }
  })
  const faults = named
    .filter((_, place) => keys.indexOf(keys[place] ?? '') !== place)
    .map(({ header: name }) => ({
      column: name,
      message: `the column ${excerpt(name)} stands more than once; rename or delete all but one`,
    }))
  return faults.length > 0 ? { faults } : { places }
}

/** A column under one of our own names means what it says. */
function ownColumn(name: string): ColumnName | undefined {
  const found = findColumn(name)
  return found?.isOwn === true ? found.name : undefined
}

/** How several texts make one of our cells, where they are not lines. */
const JOINTS: Partial<Record<ColumnName, (texts: readonly string[]) => string>> = {
  tags: (texts) => texts.join(';'),
  expect_contains: (texts) => texts.join('|'),
  expect_not_contains: (texts) => texts.join('|'),
  expect_regex: (texts) =>
    texts.length === 1 ? (texts[0] ?? '') : `^${texts.map((one) => `(?=[\\s\\S]*(?:${one}))`).join('')}`,
  max_latency_ms: (texts) => String(Math.min(...texts.map(Number))),
}

/** Records of our own columns, then of those that are carried along; what was lost is reported. */
export function importRecords(
  { title, start }: Format,
  { places }: ForeignHeader,
  records: readonly CsvRecord[],
  remarks: FileRemarks,
): { readonly layout: Layout; readonly records: readonly CsvRecord[] } {
  const out = new Importing(places, remarks)
  const indexes = new Map(places.map(({ header, index }) => [columnKey(header), index]))
  const read = start?.() ?? ((row: ForeignRow) => void out.question(row))
  for (const { cells, line } of records) {
    const raw = (name: string): string => cells[indexes.get(columnKey(name)) ?? -1] ?? ''
    read({ line, cells, raw, cell: (name) => raw(name).trim() }, out)
  }
  const { drafts } = out
  if (drafts.length === 0 && records.length > 0)
    remarks.fail({ message: `read as ${title}, no row of the file is a question; is that what it is?` })
  const own = COLUMN_NAMES.filter(
    (name) => name === 'message' || drafts.some(({ fields }) => fields.has(name)),
  )
  if (drafts.length > 0) out.tell(title, own)
  const kept = places.flatMap(({ header, to }) =>
    to === 'kept' ? [header.replace(/^__(?:metadata:)?/i, '')] : [],
  )
  return {
    layout: createImportedLayout(own, kept),
    records: drafts.map((draft) => ({
      line: draft.line,
      cells: [
        ...own.map((name) => {
          const texts = draft.fields.get(name) ?? []
          return texts.length === 0 ? '' : (JOINTS[name]?.(texts) ?? texts.join('\n'))
        }),
        ...draft.kept,
      ],
    })),
  }
}

/** The questions of one file, and the account of what became of its cells. */
export class Importing {
  readonly drafts: Draft[] = []
  readonly fail: FileRemarks['fail']
  readonly #warn: FileRemarks['warn']
  readonly #places: ForeignHeader['places']
  readonly #odd = new Map<
    string,
    { readonly line: number; readonly why: string; readonly isLost: boolean; count: number }
  >()
  #isOpen = false

  constructor(places: ForeignHeader['places'], { fail, warn }: FileRemarks) {
    this.#places = places
    this.fail = fail
    this.#warn = warn
  }

  /** Begins a question with what the rules make of the row; the one before is whole. */
  question({ cells, line }: ForeignRow): Draft {
    const fields = new Map<ColumnName, readonly string[]>()
    const add = (field: ColumnName, text: string): void => {
      if (text !== '') fields.set(field, [...(fields.get(field) ?? []), text])
    }
    const draft: Draft = { line, fields, add, kept: [] }
    this.drafts.push(draft)
    this.#isOpen = true
    for (const { header, index, to } of this.#places) {
      const cell = cells[index]?.trim() ?? ''
      if (to === 'kept') draft.kept.push(cells[index] ?? '')
      else if (cell === '' || to === 'row') continue
      else if (typeof to === 'function') to(cell, draft, this, header)
      else if (typeof to === 'object') this.lost(header.replace(/_?\d+$/, ''), to.lost, line)
      else add(to, cell)
    }
    return draft
  }

  /** The question that rows may still add to. */
  get open(): Draft | undefined {
    return this.#isOpen ? this.drafts.at(-1) : undefined
  }

  /** Nothing belongs to the question before any more. */
  close(): void {
    this.#isOpen = false
  }

  /** Nothing came of it. `what`: of a fixed list, never from a cell. */
  lost(what: string, why: string, line: number): void {
    this.#count(what, why, line, true)
  }

  /** Mapped, but looser, stricter, or otherwise not the same. */
  changed(what: string, why: string, line: number): void {
    this.#count(what, why, line, false)
  }

  #count(what: string, why: string, line: number, isLost: boolean): void {
    const known = this.#odd.get(what)
    if (known === undefined) this.#odd.set(what, { line, why, isLost, count: 1 })
    else known.count += 1
  }

  /** One line that says all in numbers, then one for each kind that was lost or changed, with its reason. */
  tell(title: string, own: readonly ColumnName[]): void {
    const mapped = own
      .filter((name) => name.startsWith('expect_') || name === 'tags' || name === 'max_latency_ms')
      .map((name) => `${name} ${digits(this.drafts.filter(({ fields }) => fields.has(name)).length)}`)
    const lost = [...this.#odd].filter(([, { isLost }]) => isLost)
    const parts = [
      `read as ${title}: ${digits(this.drafts.length)} ${this.drafts.length === 1 ? 'question' : 'questions'}`,
      ...(mapped.length === 0 ? [] : [`mapped: ${mapped.join(', ')}`]),
      ...(lost.length === 0
        ? []
        : [`lost: ${lost.map(([what, { count }]) => `${what} ${digits(count)}`).join(', ')}`]),
    ]
    this.#warn({ message: parts.join('; ') })
    for (const [what, { line, why, count }] of this.#odd)
      this.#warn({ line, message: `${what} (${digits(count)}): ${why}` })
  }
}

/** For `expect_contains` and `expect_not_contains`, where a bar separates and a backslash stands before a sign that is meant. */
export const phrase = (text: string): string => text.replaceAll(/[\\|]/g, String.raw`\$&`)

/** A regular expression (flag `u`) that matches this text and no other. */
export const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** Whether the keys are these and, beside them, none but those that are allowed. */
export const areWhole = (
  keys: readonly string[],
  needed: readonly string[],
  allowed: readonly string[] = [],
): boolean => {
  const [must, may] = [needed.map(columnKey), allowed.map(columnKey)]
  return (
    must.every((key) => keys.includes(key)) && keys.every((key) => must.includes(key) || may.includes(key))
  )
}
