// A table that people's acts are appended to, so that two tabs and a report lose none of each other's.
import { existsSync, readFileSync } from 'node:fs'
import { appendWhole, writeWhole } from '../store/files.ts'

interface LogTable<Row> {
  readonly path: string
  readonly render: (rows: readonly Row[]) => string
  readonly read: () => Promise<readonly Row[]>
}

/** A table that is new, or that a spreadsheet has saved in its own way, is written whole. */
export async function appendRow<Row>({ path, render, read }: LogTable<Row>, row: Row): Promise<void> {
  const text = textOf(path)
  if (isOurs(text, render([]))) return appendWhole(path, render([row]).slice(render([]).length))
  const rows = await read()
  // Another tab may have been faster.
  if (textOf(path) !== text) return appendRow({ path, render, read }, row)
  return writeWhole(path, render([...rows, row]))
}

export const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** An editor may have saved it without the end of its last line. */
export const isOurs = (text: string, header: string): boolean =>
  text.startsWith(header) && text.endsWith('\n')
