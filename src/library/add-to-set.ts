// Adds a question to a set, or what is expected of one that is in it.
import { existsSync } from 'node:fs'
import { columnKey } from '../dataset/columns.ts'
import { chooseFormat, NATIVE } from '../dataset/formats.ts'
import { escapePhrase } from '../dataset/imports/format.ts'
import { isResultsHeader, listPositions, readLayout } from '../dataset/layout.ts'
import { type RawTable, readRawTable } from '../dataset/raw-table.ts'
import { readQuestionSets } from '../dataset/read.ts'
import { splitPhrases } from '../dataset/row.ts'
import type { Question } from '../domain/question.ts'
import type { SavedSet, SetRow } from '../domain/viewed-set.ts'
import { UsageError } from '../options/faults.ts'
import { type Ports, realPorts } from './ports.ts'
import { columnsOfSet, placed, saveSet, type SetReading } from './sets.ts'

export async function addToSet(
  path: string,
  cells: Readonly<Record<string, string>>,
  reading: SetReading = {},
  ports: Ports = realPorts(),
): Promise<SavedSet> {
  const names = Object.keys(cells)
  if (!existsSync(path)) {
    const row = names.map((name) => withCell('', name, cells[name] ?? ''))
    return saveSet(path, names, [row], reading, ports)
  }
  const { column = [], format } = reading
  const table = await readRawTable(path, column)
  const read = await readQuestionSets([path], { format, column })
  if (read.kind === 'faulty') return { kind: 'faulty', faults: placed(read.faults, table.rows) }
  // A new column would change what another tool's own columns mean, or would not be read.
  const foreign = format === NATIVE ? undefined : chooseFormat(table.names, format)
  if (foreign !== undefined)
    throw new UsageError(`${path} is ${foreign.title}, which cannot be added to; add to a set of your own`)
  const known = positionsOf(table.names)
  const columns = [...table.columns]
  const indexOf = (name: string): number => {
    const index = known(name)
    if (index !== undefined) return index
    const added = columns.findIndex((header) => columnKey(header) === columnKey(name))
    return added === -1 ? columns.push(name) - 1 : added
  }
  const questions = read.set.threads.flatMap(({ turns }) => turns)
  const same = sameQuestions(table, { questions, known }, cells)
  if (same.size === 0 && (cells['message'] ?? '').trim() === '')
    throw new UsageError(`${path} has no question ${cells['id'] ?? ''}; give a message to add it`)
  const set = (before: readonly string[], written: readonly string[]): string[] => {
    const after = [...before]
    for (const name of written) {
      const index = indexOf(name)
      after[index] = withCell(after[index] ?? '', name, cells[name] ?? '')
    }
    return Array.from(after, (cell) => cell ?? '')
  }
  const others = names.filter((name) => name !== 'id')
  const rows = table.rows.map((row) => (same.has(row) ? set(row.cells, others) : row.cells))
  if (same.size === 0) rows.push(set([], names))
  return saveSet(path, columns, rows, { ...reading, digest: table.digest }, ports)
}

export async function expectedNow(
  sets: readonly string[],
  column: readonly string[] = [],
): Promise<Record<string, readonly string[]>> {
  const expected = new Map<string, readonly string[]>()
  for (const path of sets.filter((set) => existsSync(set))) {
    const read = await readQuestionSets([path], { column: await columnsOfSet(path, column) })
    const questions = read.kind === 'faulty' ? [] : read.set.threads.flatMap(({ turns }) => turns)
    for (const { id, expect = {} } of questions) {
      const { contains = [], notContains = [], answer } = expect
      expected.set(id, [...contains, ...notContains, ...(answer ? [answer.text] : [])])
    }
  }
  return Object.fromEntries(expected)
}

const PHRASES: readonly string[] = ['expect_contains', 'expect_not_contains']

function withCell(before: string, name: string, text: string): string {
  if (!PHRASES.includes(name)) return before.trim() === text.trim() ? before : text
  const phrase = text.trim()
  if (phrase === '') return ''
  if (splitPhrases(before).includes(phrase)) return before
  return before.trim() === '' ? escapePhrase(phrase) : `${before}|${escapePhrase(phrase)}`
}

type IndexOf = (column: string) => number | undefined

function positionsOf(header: readonly string[]): IndexOf {
  const layout = readLayout(header, [])
  const known = 'faults' in layout ? [] : [...layout.own]
  const others = listPositions(header)
  return (column) =>
    known.find(([name]) => name === column)?.[1][0]?.index ??
    others.find(({ name }) => columnKey(name) === columnKey(column))?.index
}

function sameQuestions(
  { columns, rows }: RawTable,
  { questions, known }: { readonly questions: readonly Question[]; readonly known: IndexOf },
  added: Readonly<Record<string, string>>,
): ReadonlySet<SetRow> {
  const cellOf = ({ cells }: SetRow, name: string): string => cells[known(name) ?? -1]?.trim() ?? ''
  const [id = '', message = ''] = [added['id']?.trim(), added['message']?.trim()]
  // An id may be derived: then no cell holds it.
  const lines = new Set(questions.filter((question) => question.id === id).map(({ line }) => line))
  const byId = id === '' ? [] : rows.filter((row) => lines.has(row.line) || cellOf(row, 'id') === id)
  if (byId.length > 0 || message === '') return new Set(byId)
  const sent = new Set(questions.map(({ line }) => line))
  return new Set(
    rows.filter(
      (row) =>
        (sent.has(row.line) || isResultsHeader(columns)) &&
        cellOf(row, 'message') === message &&
        (id === '' || cellOf(row, 'id') === '') &&
        ['thread', 'turn'].every(
          (name) => added[name] === undefined || cellOf(row, name) === added[name].trim(),
        ),
    ),
  )
}
