// Groups rows into threads, orders their turns, and names threads and questions without a name.
import { createHash, hash } from 'node:crypto'
import type { Question } from '../domain/question.ts'
import { excerpt, type FileMessage } from './messages.ts'
import type { QuestionRow } from './row.ts'
import type { FileRows } from './rows.ts'

export interface Thread {
  readonly turns: readonly [Question, ...Question[]]
}

/** Groups rows by thread name, in order of first rows. A row without a name is a thread of its own. */
export function groupThreads(
  { rows, mayHaveGaps }: FileRows,
  fail: (message: FileMessage) => void,
): QuestionRow[][] {
  const threads: QuestionRow[][] = []
  const byName = new Map<string, QuestionRow[]>()
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

function orderTurns(
  rows: QuestionRow[],
  mayHaveGaps: boolean,
  fail: (message: FileMessage) => void,
): QuestionRow[] {
  const [first] = rows
  // A faulty row has no turn, so the order cannot be checked until it is fixed.
  if (first === undefined || rows.some(({ turn }) => Number.isNaN(turn))) return rows
  const name = first.thread === '' ? 'a row without a thread' : `thread ${excerpt(first.thread)}`
  const report = (line: number, message: string): void => fail({ line, message })
  const odd = rows.find(({ turn }) => (turn === undefined) !== (first.turn === undefined))
  if (odd !== undefined) {
    const where = odd.turn === undefined ? 'here' : `in line ${first.line}`
    report(odd.line, `turn is missing ${where} (${name}); number every row of a thread, or none`)
    return rows
  }
  const order = rows.toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0))
  for (const [index, { turn, line }] of order.entries()) {
    const before = order[index - 1]
    if (turn === undefined) continue
    if (before?.turn === turn)
      report(
        line,
        `turn ${turn} of ${name} is already in line ${before.line}; give each row of a thread its own turn`,
      )
    else if (!mayHaveGaps && before === undefined && turn > 1)
      report(line, `${name} starts with turn ${turn}; number its turns from 0 or 1`)
    else if (!mayHaveGaps && before?.turn !== undefined && turn > before.turn + 1)
      report(
        line,
        `${name} jumps from turn ${before.turn} (line ${before.line}) to turn ${turn}; number its ` +
          'turns without gaps, or add the missing row',
      )
  }
  return order
}

/** Names the threads of all files, in order. Ids in the files take precedence over derived ones. */
export function nameThreads(files: readonly (readonly (readonly QuestionRow[])[])[]): Thread[] {
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
 * Derives ids from thread, turn, message and occurrence, so that they stay the same when other rows change.
 * Ids already in use are skipped.
 */
export function createIdDeriver(
  written: readonly string[],
): (question: { thread: string; turn: number | undefined; message: string }) => string {
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

function nameSingleTurnThread(id: string, names: Set<string>): string {
  let [name, number] = [id, 1]
  while (names.has(name)) name = `${id} (${(number += 1)})`
  names.add(name)
  return name
}

/**
 * Numbers a thread's shard, from 1 to `of`, by the id of its first question: ids stay the same when rows,
 * threads or files are added, so no thread changes its shard.
 */
export const shardOf = (firstId: string, of: number): number =>
  (createHash('sha256').update(firstId).digest().readUInt32LE() % of) + 1
