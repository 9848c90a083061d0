// The question set that `draft` makes. Safe to open in a spreadsheet.
import type { DraftRow } from '../domain/draft.ts'
import { renderSpreadsheet, type SheetColumn } from './spreadsheet.ts'

/** Yields the file's text in pieces. Columns that no row needs are left out. */
export function renderDraftCsv(rows: readonly DraftRow[]): Generator<string> {
  const isConversation = rows.some(({ thread }) => thread !== '')
  const columns: SheetColumn<DraftRow>[] = [
    ['id', ({ id }) => id],
    ...(isConversation
      ? ([
          ['thread', ({ thread }: DraftRow) => thread],
          ['turn', ({ turn }: DraftRow) => (turn === 0 ? null : turn)],
        ] as const)
      : []),
    ['message', ({ message }) => message],
    ['weight', ({ weight }) => weight],
    ['tags', ({ tags }) => tags.join(';')],
  ]
  return renderSpreadsheet({ columns, rows })
}
