// Tables of texts in a file beside the test. Each line is a JSON array, so that invisible characters are
// escapes.
import { readFileSync } from 'node:fs'

export type Row = readonly [first: string, ...rest: string[]]

export const readRows = <R = Row>(table: URL): R[] =>
  readFileSync(table, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as R)
