// Groups rows into threads, orders their turns, and names threads and questions without a name.
import { createHash, hash } from 'node:crypto'
import { listNames } from '../domain/format.ts'
import type { Question } from '../domain/question.ts'
import { excerpt, type FileMessage } from './messages.ts'
import type { Row } from './row.ts'
import type { FileRows } from './rows.ts'

/** A conversation: questions of one file, in the order in which they are sent. */
export interface Thread {
  readonly turns: readonly [Question, ...Question[]]
}

/** Groups rows by thread name, in order of first rows. A row without a name is a thread of its own. */
export function groupThreads(
  { rows, mayHaveGaps }: Pick<FileRows, 'rows' | 'mayHaveGaps'>,
  fail: (message: FileMessage) => void,
): Row[][] {
  const threads: Row[][] = []
  const byName = new Map<string, Row[]>()
  for (const row of rows) {
    const known = byName.get(row.thread)
    if (known !== undefined) {
      known.push(row)
      continue
    }
    const thread = [row]
    threads.push(thread)
    if (row.thread !== '') byName.set(row.thread, thread)
  }
  return threads.map((thread) => orderTurns(thread, mayHaveGaps, fail))
}

/** By their turns, which are all there from 0 or 1, each once and without gaps, or not there at all. */
function orderTurns(rows: Row[], mayHaveGaps: boolean, fail: (message: FileMessage) => void): Row[] {
  // A faulty row has no turn, so the order cannot be checked until it is fixed.
  if (rows.some(({ turn }) => Number.isNaN(turn))) return rows
  if (rows.every(({ turn }) => turn === undefined)) return rows
  const order = rows.toSorted((a, b) => (a.turn ?? -1) - (b.turn ?? -1))
  const wrong = order.find(({ turn }, index) => {
    const before = order[index - 1]?.turn
    if (turn === undefined || turn === before) return true
    return !mayHaveGaps && turn > (before === undefined ? 1 : before + 1)
  })
  if (wrong === undefined) return order
  const { line, thread } = wrong
  const turns = listNames(order.map(({ turn }) => String(turn ?? 'none')))
  const name = thread === '' ? 'this row' : `thread ${excerpt(thread)}`
  const fix = 'number its rows from 0 or 1, each once and without gaps, or none of them'
  fail({ line, message: `the turns of ${name} are ${turns}; ${fix}` })
  return rows
}

/** The threads of all files, in order. Ids in the files take precedence over derived ones. */
export function nameThreads(files: readonly (readonly (readonly Row[])[])[]): Thread[] {
  const deriveId = createIdDeriver(files.flat(2).map(({ id }) => id))
  return files.flatMap((threads, file) => {
    const names = new Set(threads.map(([first]) => first?.thread ?? ''))
    return threads.flatMap((rows): Thread[] => {
      const ids = rows.map((row) =>
        row.id === '' ? deriveId({ ...row, message: row.content.message }) : row.id,
      )
      const thread = rows[0]?.thread || nameSingleTurnThread(ids[0] ?? '', names)
      const [first, ...rest] = rows.map(({ content, cells, line }, index): Question => ({
        id: ids[index] ?? '',
        thread,
        turn: index + 1,
        ...content,
        cells,
        file,
        line,
      }))
      return first === undefined ? [] : [{ turns: [first, ...rest] }]
    })
  })
}

/**
 * Derives ids for questions without one. They depend on thread, turn, message and occurrence, so they stay
 * the same when other rows change. Ids already in use are skipped.
 */
export function createIdDeriver(
  written: readonly string[],
): (question: Pick<Row, 'thread' | 'turn'> & Pick<Question, 'message'>) => string {
  const taken = new Set(written)
  const occurrences = new Map<string, number>()
  return ({ thread, turn, message }) => {
    const key = JSON.stringify([thread, turn ?? '', message])
    let occurrence = occurrences.get(key) ?? 0
    let id: string
    do {
      occurrence += 1
      const text = JSON.stringify([thread, turn ?? '', message, occurrence])
      id = `q-${hash('sha256', text, 'hex').slice(0, 16)}`
    } while (taken.has(id))
    taken.add(id)
    occurrences.set(key, occurrence)
    return id
  }
}

/** Names the thread of a question without one after its id, with a number if another thread has that name. */
function nameSingleTurnThread(id: string, names: Set<string>): string {
  let [name, number] = [id, 1]
  while (names.has(name)) name = `${id} (${(number += 1)})`
  names.add(name)
  return name
}

/**
 * Shard of a thread, from 1 to `of`, by the id of its first question. Unlike positions and file names, ids
 * stay the same when rows, threads or files are added, so no thread changes its shard.
 */
export const shardOf = (firstId: string, of: number): number =>
  (createHash('sha256').update(firstId).digest().readUInt32LE() % of) + 1
