// Rows of tables, as sentences: `30–59 minutes | Single ticket: 25 % | Monthly pass: €1.50`.

/** It stands between the cells of a row. */
export const CELL = ' | '

export const isRow = (text: string): boolean => text.includes(CELL)

/** A head has no values of its own: it stands over those of each row. */
export const isHead = (text: string): boolean => /^\s*\|/.test(text)

/** Says whom or what a row is for. */
export const headOfRow = (row: string): string => row.slice(0, row.indexOf(CELL))

interface Position {
  readonly start: number
}

/** Returns 0 for the head of the row. */
export function startOfCell(row: string, { start }: Position): number {
  const at = row.lastIndexOf(CELL, start)
  return at === -1 ? 0 : at + CELL.length
}

export function cellAt(row: string, position: Position): string {
  const end = row.indexOf(CELL, position.start)
  return row.slice(startOfCell(row, position), end === -1 ? undefined : end)
}

/** Returns what stands over the column of a value; empty for a column without a head. */
export const columnAt = (row: string, value: Position): string =>
  /^[^:]+(?=: )/.exec(cellAt(row, value))?.[0] ?? ''

/** Writes the head of its column before each cell of a table; other lines stay as they are. */
export function* withHeadedCells(lines: readonly string[]): Generator<string> {
  let heads: readonly string[] | undefined
  for (const line of lines) {
    if (!/^\s*\|/.test(line)) {
      heads = undefined
      yield line
    } else if (!/^[\s|:-]+$/.test(line)) {
      const cells = line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim())
      const headed = cells.map((cell, at) => (at > 0 && heads?.[at] ? `${heads[at]}: ${cell}` : cell))
      yield heads === undefined ? line : headed.join(CELL)
      heads ??= cells
    }
  }
}
