// Tables of texts beside a test: a row is a line, a JSON array, so that signs that do not show are escapes.
import { readFileSync } from 'node:fs'

export type Row = readonly [first: string, ...rest: string[]]

export const readRows = (table: URL): Row[] =>
  readFileSync(table, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
