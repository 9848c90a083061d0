// A question set as CSV: its reader gives every cell back exactly as it was typed.
import { stringify } from 'csv-stringify/sync'

/** The reader drops white space before an unquoted cell; a lone carriage return ends a row. */
const QUOTED = /^\s|[\r\n]/

/** No cell is defused: the reader would take the quote for a part of the message. */
export const renderSetCsv = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  stringify(
    [columns, ...rows].map((cells) => [...cells]),
    { quoted_match: QUOTED },
  )
