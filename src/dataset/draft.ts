// A row as it is kept until its thread is asked for: all of its question but the names that others decide.
import type { Question } from '../domain/question.ts'
import { columnKey } from './columns.ts'
import type { Layout } from './layout.ts'
import type { Row } from './row.ts'

/** A row with the cells that are carried along, by column. */
export type Draft = Omit<Row, 'cells' | 'endUserRef'> & {
  readonly endUserRef?: string | undefined
  readonly cells: Record<string, string>
}

/** `columns`: the set's own by key, with the names that came first; new ones are added. The record's other cells are let go. */
export function createDraft(row: Row, layout: Layout, columns: Map<string, string>): Draft {
  const cells = layout.carried.flatMap(({ name, index }): [string, string][] => {
    const cell = row.cells[index] ?? ''
    if (cell === '' && layout.isImported === true) return []
    const key = columnKey(name)
    const known = columns.get(key)
    if (known === undefined) columns.set(key, name)
    return [[known ?? name, cell]]
  })
  return { ...row, cells: Object.fromEntries(cells) }
}

/** What others decide of a question. */
interface Placed {
  readonly id: string
  readonly thread: string
  readonly turn: number
  readonly file: number
}

export function createQuestion(draft: Draft, { id, thread, turn, file }: Placed): Question {
  const { message, endUserRef, tags, expect, mustPass, review, note, cells, line } = draft
  return {
    id,
    thread,
    turn,
    message,
    ...(endUserRef !== undefined && { endUserRef }),
    tags: [...tags],
    ...(expect !== undefined && { expect }),
    mustPass,
    ...(review !== '' && { review }),
    ...(note !== '' && { note }),
    cells,
    file,
    line,
  }
}
