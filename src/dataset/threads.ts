// Rows to threads: grouped, put in the order of their turns, and given the names that their file does not.
import { hash } from 'node:crypto'
import type { Question, Thread } from '../domain/question.ts'
import { columnKey } from './columns.ts'
import { excerpt } from './excerpt.ts'
import type { Layout } from './layout.ts'
import type { Remark } from './remarks.ts'
import type { Row } from './row.ts'
import type { FileRows } from './rows.ts'

/** In the order of their first rows. Rows with one thread's name are one thread; a row without a name is a thread of its own. */
export function groupThreads({ rows, mayHaveGaps }: FileRows, fail: (remark: Remark) => void): Row[][] {
  const threads: Row[][] = []
  const byName = new Map<string, Row[]>()
  for (const row of rows) {
    const known = row.thread === '' ? undefined : byName.get(row.thread)
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
  // The number of a row that is alone says nothing.
  if (first === undefined || first.thread === '') return rows
  // A turn that could not be read has its own fault, and those around it are not to be judged.
  if (rows.some(({ turn }) => Number.isNaN(turn))) return rows
  const name = `thread ${excerpt(first.thread)}`
  const report = (line: number, message: string): void => fail({ line, column: 'turn', message })
  const odd = rows.find(({ turn }) => (turn === undefined) !== (first.turn === undefined))
  if (odd !== undefined) {
    const [here, there] = odd.turn === undefined ? ['empty', 'filled'] : ['filled', 'empty']
    report(
      odd.line,
      `the turn of ${name} is ${here} here and ${there} in line ${first.line}; number all rows of a thread, or none`,
    )
    return rows
  }
  const order = rows.toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0))
  if (first.turn === undefined) return order
  for (const [place, { turn = 0, line }] of order.entries()) {
    const before = order[place - 1]
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

/** The threads of one file, in the order of the set. */
export interface FileThreads {
  readonly layout: Layout
  readonly threads: readonly (readonly Row[])[]
}

/**
 * All files' threads in their order, with the set's own columns by the names that came first. Names that stand in the files come before
 * those that are found.
 */
export function nameThreads(files: readonly (FileThreads | undefined)[]): {
  readonly threads: Thread[]
  readonly columns: string[]
} {
  const columns = new Map<string, string>()
  const deriveId = createIdDeriver(
    files.flatMap((file) => file?.threads.flatMap((rows) => rows.map(({ id }) => id)) ?? []),
  )
  const threads = files.flatMap((part, file) => {
    if (part === undefined) return []
    const names = new Set(part.threads.flatMap(([first]) => first?.thread ?? []))
    return part.threads.flatMap((rows): Thread[] => {
      const ids = rows.map((row) => (row.id === '' ? deriveId(row) : row.id))
      const name = rows[0]?.thread === '' ? nameAlone(ids[0] ?? '', names) : (rows[0]?.thread ?? '')
      const [first, ...rest] = rows.map((row, place) =>
        createQuestion(row, part.layout, columns, {
          id: ids[place] ?? '',
          thread: name,
          turn: place + 1,
          file,
        }),
      )
      return first === undefined ? [] : [{ name, turns: [first, ...rest] }]
    })
  })
  return { threads, columns: [...columns.values()] }
}

/**
 * Ids for questions that bring none: the same in every run, whatever stands around them in the file. Equal questions are told apart
 * by their number; an id that is taken, by whomever, is passed over.
 */
export function createIdDeriver(
  written: readonly string[],
): (question: Pick<Row, 'thread' | 'turn' | 'message'>) => string {
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

/** `columns`: the set's own by key; new ones are added under the name that came first. */
function createQuestion(
  { message, endUserRef, tags, expect, mustPass, review, note, cells, line }: Row,
  { carried, isImported }: Layout,
  columns: Map<string, string>,
  placed: Pick<Question, 'id' | 'thread' | 'turn' | 'file'>,
): Question {
  const own = carried.flatMap(({ name, index }): [string, string][] => {
    const cell = cells[index] ?? ''
    if (cell === '' && isImported === true) return []
    const key = columnKey(name)
    if (!columns.has(key)) columns.set(key, name)
    return [[columns.get(key) ?? name, cell]]
  })
  return {
    id: placed.id,
    thread: placed.thread,
    turn: placed.turn,
    message,
    ...(endUserRef !== undefined && { endUserRef }),
    tags: [...tags],
    ...(expect !== undefined && { expect }),
    mustPass,
    ...(review !== '' && { review }),
    ...(note !== '' && { note }),
    cells: Object.fromEntries(own),
    file: placed.file,
    line,
  }
}
