// Rows to threads: grouped, put in the order of their turns, and given the names that their file does not.
import { createHash, hash } from 'node:crypto'
import type { Question } from '../domain/question.ts'
import { excerpt, type Remark } from './remarks.ts'
import type { Row } from './row.ts'
import type { FileRows } from './rows.ts'

/** Questions of one file, sent one after the other. */
export interface Thread {
  readonly name: string
  readonly turns: readonly [Question, ...Question[]]
}

/** In the order of their first rows. Rows with one thread's name are one thread; a row without a name is a thread of its own. */
export function groupThreads(
  { rows, mayHaveGaps }: Pick<FileRows, 'rows' | 'mayHaveGaps'>,
  fail: (remark: Remark) => void,
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

function orderTurns(rows: Row[], mayHaveGaps: boolean, fail: (remark: Remark) => void): Row[] {
  const [first] = rows
  // A row that has a fault of its own has none of its turn: the thread is judged when that one is fixed.
  if (first === undefined || rows.some(({ turn }) => Number.isNaN(turn))) return rows
  const name = first.thread === '' ? 'a row without a thread' : `thread ${excerpt(first.thread)}`
  const report = (line: number, message: string): void => fail({ line, column: 'turn', message })
  const odd = rows.find(({ turn }) => (turn === undefined) !== (first.turn === undefined))
  if (odd !== undefined) {
    const where = odd.turn === undefined ? 'here' : `in line ${first.line}`
    report(odd.line, `a turn of ${name} is missing ${where}; number all rows of a thread, or none`)
    return rows
  }
  const order = rows.toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0))
  for (const [place, { turn, line }] of order.entries()) {
    const before = order[place - 1]
    if (turn === undefined) continue
    if (before?.turn === turn)
      report(
        line,
        `turn ${turn} of ${name} stands in line ${before.line} already; give each row of a thread its own turn`,
      )
    else if (!mayHaveGaps && before === undefined && turn > 1)
      report(line, `${name} begins with turn ${turn}; number its turns from 0 or 1`)
    else if (!mayHaveGaps && before?.turn !== undefined && turn > before.turn + 1)
      report(
        line,
        `${name} goes from turn ${before.turn} (line ${before.line}) to turn ${turn}; number its turns without gaps, or add the missing row`,
      )
  }
  return order
}

/** All files' threads in their order. Ids that stand in the files come before those that are derived. */
export function nameThreads(files: readonly (readonly (readonly Row[])[])[]): Thread[] {
  const deriveId = createIdDeriver(files.flat(2).map(({ id }) => id))
  return files.flatMap((threads, file) => {
    const names = new Set(threads.map(([first]) => first?.thread ?? ''))
    return threads.flatMap((rows): Thread[] => {
      const ids = rows.map((row) =>
        row.id === '' ? deriveId({ ...row, message: row.said.message }) : row.id,
      )
      const thread = rows[0]?.thread || nameAlone(ids[0] ?? '', names)
      const [first, ...rest] = rows.map(({ said, cells, line }, place): Question => ({
        id: ids[place] ?? '',
        thread,
        turn: place + 1,
        ...said,
        cells,
        file,
        line,
      }))
      return first === undefined ? [] : [{ name: thread, turns: [first, ...rest] }]
    })
  })
}

/**
 * Ids for questions that bring none: the same in every run, whatever stands around them in the file. Equal questions are told apart
 * by their number; an id that is taken, by whomever, is passed over.
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

/** A question without a thread is in one of its own, named like its id; a thread that has that name keeps it. */
function nameAlone(id: string, names: Set<string>): string {
  let [name, number] = [id, 1]
  while (names.has(name)) name = `${id} (${(number += 1)})`
  names.add(name)
  return name
}

/**
 * The shard of `of`, from 1, of the thread whose first question has this id. An id stays when rows, threads or files come
 * and go, which names of files and places do not; so whatever is added moves no other thread.
 */
export const shardOf = (firstId: string, of: number): number =>
  (createHash('sha256').update(firstId).digest().readUInt32LE() % of) + 1
