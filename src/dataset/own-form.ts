// Question sets in the harness's own form: what another tool's set is migrated to, for good.
import type { Question, Thread } from '../domain/question.ts'
import { findColumn, type ColumnName } from './columns.ts'
import { excerpt } from './excerpt.ts'
import { writeTags } from './importers/our-cells.ts'

/** The columns in their order; the set's own follow. */
const ORDER = [
  'thread',
  'turn',
  'id',
  'message',
  'end_user_ref',
  'tags',
  'expect_source',
  'expect_contains',
  'expect_not_contains',
  'expect_regex',
  'expect_answer',
  'min_similarity',
  'max_latency_ms',
  'must_pass',
  'review',
  'note',
] as const satisfies readonly ColumnName[]

const ALWAYS: readonly string[] = ['thread', 'turn', 'id', 'message']

/** Rows in one piece of text. */
const ROWS_A_PIECE = 500

/** A set that may be larger than memory: it is gone through more than once. */
export interface WrittenSet {
  readonly threads: Iterable<Thread>
  /** All of them, by file and line. */
  readonly questions: Iterable<Question>
  readonly columns: readonly string[]
}

/**
 * The file's text in pieces, in the order of the set: read again it gives the same questions. Cells are written as they are,
 * not defused, since nothing takes a quote off a set's cells again; `note` is told what that means, and of threads renamed.
 */
export function* writeOwnForm(
  { threads, questions, columns }: WrittenSet,
  note: (message: string) => void,
): Generator<string> {
  const names = nameThreads(threads, note)
  const written = chooseColumns(questions, columns)
  let formulas = 0
  let piece = writeRow(written.map(({ header }) => header))
  let rows = 0
  for (const question of questions) {
    const thread = names.get(threadKey(question)) ?? question.thread
    const cells = written.map(({ cellOf }) => cellOf(question, thread))
    if (cells.some((cell) => /^[=+\-@\t]/.test(cell))) formulas += 1
    piece += writeRow(cells)
    rows += 1
    if (rows % ROWS_A_PIECE !== 0) continue
    yield piece
    piece = ''
  }
  yield piece
  if (formulas > 0)
    note(
      `${formulas} ${formulas === 1 ? 'row has a cell' : 'rows have cells'} that a spreadsheet could take for a formula (it begins with =, +, - or @); such cells are written as they are`,
    )
}

/** Quoted where a reader would take a sign or white space for its own. */
const writeRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`

const threadKey = ({ file, thread }: Pick<Question, 'file' | 'thread'>): string => `${file}\n${thread}`

/** New names for threads that have the name of one in a file before: in one file they would become one. */
function nameThreads(threads: Iterable<Thread>, note: (message: string) => void): Map<string, string> {
  const renamed = new Map<string, string>()
  const files = new Set<number>()
  for (const { turns } of threads) files.add(turns[0].file)
  if (files.size <= 1) return renamed
  const all = new Set<string>()
  for (const { name } of threads) all.add(name)
  const seen = new Set<string>()
  for (const { name, turns } of threads) {
    let free = name
    for (let number = 2; seen.has(free) || (free !== name && all.has(free)); number += 1)
      free = `${name} (${number})`
    seen.add(free)
    if (free === name) continue
    renamed.set(threadKey(turns[0]), free)
    note(`thread ${excerpt(name)} stands in more than one file; one is called ${excerpt(free)} now`)
  }
  return renamed
}

interface WrittenColumn {
  readonly header: string
  readonly cellOf: (question: Question, thread: string) => string
}

/** Columns that are fields of a question; all others stand in its cells. */
const FIELDS: Readonly<Partial<Record<ColumnName, WrittenColumn['cellOf']>>> = {
  thread: (_, thread) => thread,
  turn: ({ turn }) => String(turn),
  id: ({ id }) => id,
  message: ({ message }) => message,
  tags: ({ tags }) => writeTags(tags),
  review: ({ review }) => review ?? '',
  note: ({ note }) => note ?? '',
}

/** Those that hold something, and those whose absence would give a column of the set their meaning. */
function chooseColumns(questions: Iterable<Question>, columns: readonly string[]): WrittenColumn[] {
  const isField = (name: string): boolean => Object.hasOwn(FIELDS, name)
  const isCarried = (name: string): boolean => (ORDER as readonly string[]).includes(name) && !isField(name)
  const filled = filledFields(questions)
  const own = columns.filter((name) => !isCarried(name))
  const shadowed = new Set<string>(own.flatMap((name) => findColumn(name)?.name ?? []))
  const isUsed = (name: (typeof ORDER)[number]): boolean =>
    ALWAYS.includes(name) || shadowed.has(name) || (isField(name) ? filled.has(name) : columns.includes(name))
  return [
    ...ORDER.filter(isUsed).map((name) => ({ header: name, cellOf: FIELDS[name] ?? readCell(name) })),
    // A column of the set that bears a field's name stands in results alone: there it is called so, too.
    ...own.map((name) => ({ header: isField(name) ? `${name} (set)` : name, cellOf: readCell(name) })),
  ]
}

/** Names of the fields, but for those that are always written, in which a question at least has something. The set is read once, and no further than need be. */
function filledFields(questions: Iterable<Question>): ReadonlySet<string> {
  const filled = new Set<string>()
  const empty = new Map(Object.entries(FIELDS).filter(([name]) => !ALWAYS.includes(name)))
  for (const question of questions) {
    for (const [name, cellOf] of empty) if (cellOf(question, '') !== '') filled.add(name)
    for (const name of filled) empty.delete(name)
    if (empty.size === 0) break
  }
  return filled
}

const readCell =
  (name: string): WrittenColumn['cellOf'] =>
  ({ cells }) =>
    cells[name] ?? ''
