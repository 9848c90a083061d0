// A record to a row: its cells read by the layout, each checked by itself.
import type { Expectations } from '../domain/question.ts'
import type { Cells } from './cells.ts'
import { readEndUserRef } from './end-user-ref.ts'
import { readExpectations } from './expectations.ts'
import { readMustPass } from './must-pass.ts'
import { readTurn } from './numbers.ts'
import { readTags } from './tags.ts'

export interface Row {
  readonly line: number
  /** As written in the file; empty where the name has to be found. */
  readonly id: string
  readonly thread: string
  /** As written: from 0 or 1. `undefined`: the order of the rows decides. */
  readonly turn: number | undefined
  /** The turn cell could not be read. */
  readonly isTurnWrong: boolean
  readonly message: string
  readonly tags: readonly string[]
  readonly endUserRef: string | undefined
  readonly expect: Expectations | undefined
  readonly mustPass: boolean
  readonly review: string
  readonly note: string
  /** The record's cells, for those that are carried along. */
  readonly cells: readonly string[]
}

export function readRow(cells: Cells, line: number): Row {
  const message = cells.text('message')
  if (message === '')
    cells.report(
      'message',
      'the row has other cells, but no message; write the question, or empty the whole row',
    )
  const turn = cells.read('turn', readTurn)
  return {
    line,
    id: cells.text('id'),
    thread: cells.text('thread'),
    turn,
    isTurnWrong: turn === undefined && cells.text('turn') !== '',
    message,
    tags: readTags(cells.tags()),
    endUserRef: cells.read('end_user_ref', readEndUserRef),
    expect: readExpectations(cells),
    mustPass: cells.read('must_pass', readMustPass) ?? false,
    review: cells.text('review'),
    note: cells.text('note'),
    cells: cells.all,
  }
}
