// Question sets in the harness's own form: what another tool's set is migrated to, for good.
import type { Question, Thread } from '../domain/question.ts'
import { findColumn, type ColumnName } from './columns.ts'
import { excerpt } from './excerpt.ts'
import { writeTags } from './importers/our-cells.ts'
import type { QuestionSet } from './read.ts'

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

/**
 * The file's text in pieces, in the order of the set: read again it gives the same questions. Cells are written as they are,
 * not defused, since nothing takes a quote off a set's cells again; `note` is told what that means, and of threads renamed.
 */
export function* writeOwnForm(
  { threads, columns }: QuestionSet,
  note: (message: string) => void,
): Generator<string> {
  const questions = threads.flatMap(({ turns }) => turns).sort((a, b) => a.file - b.file || a.line - b.line)
  const names = nameThreads(threads, note)
  const written = chooseColumns(questions, columns)
  let formulas = 0
  let piece = writeRow(written.map(({ header }) => header))
  for (const [place, question] of questions.entries()) {
    const thread = names.get(threadKey(question)) ?? question.thread
    const cells = written.map(({ cellOf }) => cellOf(question, thread))
    if (cells.some((cell) => /^[=+\-@\t]/.test(cell))) formulas += 1
    piece += writeRow(cells)
    if (place % ROWS_A_PIECE !== ROWS_A_PIECE - 1) continue
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
function nameThreads(threads: readonly Thread[], note: (message: string) => void): Map<string, string> {
  const renamed = new Map<string, string>()
  const isOneFile = threads.every(({ turns: [{ file }] }) => file === threads[0]?.turns[0].file)
  if (isOneFile) return renamed
  const all = new Set(threads.map(({ name }) => name))
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
function chooseColumns(questions: readonly Question[], columns: readonly string[]): WrittenColumn[] {
  const isField = (name: string): boolean => Object.hasOwn(FIELDS, name)
  const isCarried = (name: string): boolean => (ORDER as readonly string[]).includes(name) && !isField(name)
  const own = columns.filter((name) => !isCarried(name))
  const shadowed = new Set<string>(own.flatMap((name) => findColumn(name)?.name ?? []))
  const isUsed = (name: (typeof ORDER)[number]): boolean =>
    ALWAYS.includes(name) ||
    shadowed.has(name) ||
    (isField(name)
      ? questions.some((question) => FIELDS[name]?.(question, '') !== '')
      : columns.includes(name))
  return [
    ...ORDER.filter(isUsed).map((name) => ({ header: name, cellOf: FIELDS[name] ?? readCell(name) })),
    // A column of the set that bears a field's name stands in results alone: there it is called so, too.
    ...own.map((name) => ({ header: isField(name) ? `${name} (set)` : name, cellOf: readCell(name) })),
  ]
}

const readCell =
  (name: string): WrittenColumn['cellOf'] =>
  ({ cells }) =>
    cells[name] ?? ''
