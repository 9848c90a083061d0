// A question set as CSV: its reader gives every cell back exactly as it was typed.
import { stringify } from 'csv-stringify/sync'

/**
 * The reader leaves out white space before an unquoted cell, and takes a lone carriage return for a row's
 * end.
 */
const QUOTED = /^\s|[\r\n]/

/**
 * No cell is defused: the reader undoes that for the results of a run alone, and the message would be sent
 * so.
 */
export const renderSetCsv = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  stringify(
    [columns, ...rows].map((cells) => [...cells]),
    { quoted_match: QUOTED },
  )
