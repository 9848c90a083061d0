// What is filtered as a CSV file, with the marks made in this page.
import type { Context } from './context.ts'
import type { Found } from './conversations.ts'
import { FOUND_COLUMNS, foundCells, toCsv } from './csv.ts'
import { download } from './download.ts'

const ROWS_A_PIECE = 500

/** With a byte order mark: it is for a spreadsheet. */
export async function downloadFound(found: readonly Found[], { store, marks }: Context): Promise<void> {
  const pieces = ['\ufeff', toCsv([FOUND_COLUMNS])]
  let rows: (readonly string[])[] = []
  for (const { places } of found) {
    for (const place of places) rows.push(foundCells(await store.turn(place), marks.at(place)))
    if (rows.length < ROWS_A_PIECE) continue
    pieces.push(toCsv(rows))
    rows = []
  }
  download('questions.csv', [...pieces, toCsv(rows)])
}
