// Another tool's question set: a table of its columns and what becomes of each, and an account of what was mapped and lost.
import { digits, plural } from '../../domain/text.ts'
import { COLUMN_NAMES, columnKey, findColumn, isCarried, type ColumnName } from '../columns.ts'
import type { CsvRecord } from '../csv.ts'
import { listPlaces } from '../layout.ts'
import { excerpt, excerptList, type Remark, type Remarks } from '../remarks.ts'
import { readRow, type Row } from '../row.ts'

export interface Format {
  /** As `--format` names it. */
  readonly name: string
  /** As in "read as a promptfoo set". */
  readonly title: string
  /** Whether the whole header is the tool's. `headers`: without empty ones; `keys`: as they are compared. */
  readonly recognises: (keys: readonly string[], headers: readonly string[]) => boolean
  /** Columns that must be there. */
  readonly needs?: readonly string[]
  /** By the headers that are there. Columns without a rule keep their names, and their meaning where the name is one of ours. */
  readonly columns: (headers: readonly string[]) => readonly Rule[]
  /** Of a format whose rows are not questions each: makes the reader of one file's rows. */
  readonly steps?: () => (row: ForeignRow, out: Importing) => void
}

/**
 * A column, by its name or (a pattern) by its header as written, and what becomes of its cells: the text of one of our columns, what a function
 * makes of them, nothing for the reason that is given, or nothing here since another rule reads them.
 */
export type Rule = readonly [column: string | RegExp, to: Target]
type Target = ColumnName | CellReader | { readonly lost: string } | 'read elsewhere'
export type CellReader = (cell: string, out: Importing, row: ForeignRow) => void

export interface ForeignRow {
  /** Trimmed; empty where there is no such column. */
  readonly cell: (name: string) => string
  /** With its white space. */
  readonly raw: (name: string) => string
}

/** The questions of one file, and the account of what became of its cells. */
export interface Importing {
  /** Begins a question with what the rules make of the row. */
  readonly question: () => void
  /** To the question that was begun last. Several texts of one column are joined. */
  readonly add: (field: ColumnName, text: string) => void
  /** Whether there is a question that rows may still add to. */
  readonly isOpen: () => boolean
  /** Nothing belongs to the question before any more. */
  readonly close: () => void
  /** Nothing came of it. `what`: of a fixed list, never from a cell. */
  readonly lost: (what: string, why: string) => void
  /** Mapped, but looser, stricter, or otherwise not the same. */
  readonly changed: (what: string, why: string) => void
  readonly fail: (message: string) => void
}

interface Draft {
  readonly line: number
  readonly fields: Map<ColumnName, readonly string[]>
  readonly kept: readonly string[]
}

/** Reads the rows of a file by its format, or says what is wrong with its header. */
export function openImport(
  { title, needs = [], columns, steps }: Format,
  header: readonly string[],
  nameColumn: (header: string) => string,
  remarks: Remarks,
) {
  const named = listPlaces(header)
  const names = named.map(({ name }) => name)
  const keys = names.map(columnKey)
  const missing = needs.filter((name) => !keys.includes(columnKey(name)))
  const duplicates = names.filter((_, place) => keys.indexOf(keys[place] ?? '') !== place)
  const faults: Remark[] = duplicates.map((column) => ({
    column,
    message: `the column ${excerpt(column)} occurs more than once; rename or delete all but one`,
  }))
  if (missing.length > 0)
    faults.push({
      message: `${title} needs ${excerptList(missing)} (found: ${excerptList(names)}); rename the columns, or leave out --format`,
    })
  if (faults.length > 0) return { faults }

  const rules = columns(names)
  const places = named.map(({ name, index }) => ({ name, index, to: findTarget(name, rules) }))
  const kept = places.filter(({ to }) => to === undefined)
  const drafts: Draft[] = []
  const account = createAccount()
  const step = steps?.() ?? ((_, { question }) => question())
  let isOpen = false

  const take = ({ cells, line }: CsvRecord): void => {
    const raw = (name: string): string => cells[named[keys.indexOf(columnKey(name))]?.index ?? -1] ?? ''
    const row: ForeignRow = { raw, cell: (name) => raw(name).trim() }
    const out: Importing = {
      question: () => {
        drafts.push({ line, fields: new Map(), kept: kept.map(({ index }) => cells[index] ?? '') })
        isOpen = true
        for (const { name, index, to } of places) {
          const cell = cells[index]?.trim() ?? ''
          if (cell === '' || to === undefined || to === 'read elsewhere') continue
          if (typeof to === 'function') to(cell, out, row)
          else if (typeof to === 'object') out.lost(name.replace(/_?\d+$/, ''), to.lost)
          else out.add(to, cell)
        }
      },
      add: (field, text) => {
        const fields = drafts.at(-1)?.fields
        if (text.trim() !== '') fields?.set(field, [...(fields.get(field) ?? []), text.trim()])
      },
      isOpen: () => isOpen,
      close: () => {
        isOpen = false
      },
      lost: (what, why) => account.count({ what, why, line, isLost: true }),
      changed: (what, why) => account.count({ what, why, line, isLost: false }),
      fail: (message) => remarks.fail({ line, message }),
    }
    step(row, out)
  }

  const end = (): Row[] => {
    account.report(title, drafts, remarks)
    const used = COLUMN_NAMES.filter((name) => drafts.some(({ fields }) => fields.has(name)))
    const carried = used.filter(isCarried).map((field) => [nameColumn(field), field] as const)
    const keptNames = kept.map(({ name }) => nameColumn(name.replace(/^__(?:metadata:)?/i, '')))
    return drafts.map((draft) => {
      const fields = Object.fromEntries(
        Array.from(draft.fields, ([name, texts]) => [name, JOINTS[name]?.(texts) ?? texts.join('\n')]),
      ) as Partial<Record<ColumnName, string>>
      const cells = Object.fromEntries([
        ...carried.map(([name, field]) => [name, fields[field] ?? '']),
        ...keptNames.map((name, place) => [name, draft.kept[place] ?? '']),
      ]) as Record<string, string>
      return readRow({ line: draft.line, fields, cells }, remarks)
    })
  }
  // Its turns are numbered by the tool's rule, not by ours.
  return { take, end, mayHaveGaps: true }
}

/** Undefined: carried along under its own name. */
function findTarget(header: string, rules: readonly Rule[]): Target | undefined {
  const rule = rules.find(([column]) =>
    typeof column === 'string' ? columnKey(column) === columnKey(header) : column.test(header),
  )
  const own = findColumn(header)
  return rule?.[1] ?? (own?.isOwn === true ? own.name : undefined)
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

interface Oddity {
  readonly what: string
  readonly why: string
  readonly line: number
  readonly isLost: boolean
}

function createAccount() {
  const odd = new Map<string, Oddity & { count: number }>()
  return {
    count: (one: Oddity): void => {
      const known = odd.get(one.what)
      if (known === undefined) odd.set(one.what, { ...one, count: 1 })
      else known.count += 1
    },
    /** One line that says all in numbers, then one for each kind that was lost or changed, with its reason. */
    report: (title: string, drafts: readonly Draft[], { warn }: Remarks): void => {
      const mapped = COLUMN_NAMES.filter((name) => /^(?:expect_|tags$|max_latency_ms$)/.test(name)).flatMap(
        (name) => {
          const count = drafts.filter(({ fields }) => fields.has(name)).length
          return count === 0 ? [] : [`${name} ${digits(count)}`]
        },
      )
      const lost = [...odd.values()]
        .filter(({ isLost }) => isLost)
        .map(({ what, count }) => `${what} ${digits(count)}`)
      const parts = [
        `read as ${title}: ${plural(drafts.length, 'question')}`,
        ...(mapped.length === 0 ? [] : [`mapped: ${mapped.join(', ')}`]),
        ...(lost.length === 0 ? [] : [`lost: ${lost.join(', ')}`]),
      ]
      warn({ message: parts.join('; ') })
      for (const { what, why, line, count } of odd.values())
        warn({ line, message: `${what} (${digits(count)}): ${why}` })
    },
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
