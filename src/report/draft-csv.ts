// The question set that `draft` makes. Safe to open in a spreadsheet.
import type { DraftRow } from '../domain/draft.ts'
import { renderSpreadsheet, type SheetColumn } from './spreadsheet.ts'

/** Yields the file's text in pieces. Columns that no row needs are left out. */
export function renderDraftCsv(rows: readonly DraftRow[]): Generator<string> {
  const isConversation = rows.some(({ thread }) => thread !== '')
  const isExpecting = rows.some(({ expectContains }) => expectContains.length > 0)
  const columns: SheetColumn<DraftRow>[] = [
    ['id', ({ id }) => id],
    ...(isConversation
      ? ([
          ['thread', threadOf],
          ['turn', turnOf],
        ] as const)
      : []),
    ['message', ({ message }) => message],
    ['weight', ({ weight }) => weight],
    ['tags', ({ tags }) => tags.join(';')],
    ...(isExpecting ? ([['expect_contains', phrasesOf]] as const) : []),
  ]
  return renderSpreadsheet({ columns, rows })
}

const threadOf = ({ thread }: DraftRow): string => thread
const turnOf = ({ turn }: DraftRow): number | null => (turn === 0 ? null : turn)
const phrasesOf = ({ expectContains }: DraftRow): string =>
  expectContains.map((text) => text.replaceAll(/[\\|]/g, String.raw`\$&`)).join('|')
