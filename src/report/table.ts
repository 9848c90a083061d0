// Text tables: columns as wide as their widest cell.
import stringWidth from 'string-width'

export type Align = 'left' | 'right'

/** Lines without trailing space. Cells must be visible text already; widths are those of a terminal. */
export function alignTable(rows: readonly (readonly string[])[], align: readonly Align[]): string[] {
  const widths = align.map((_, column) => Math.max(0, ...rows.map((row) => stringWidth(row[column] ?? ''))))
  return rows.map((row) =>
    align
      .map((side, column) => {
        const cell = row[column] ?? ''
        const padding = ' '.repeat((widths[column] ?? 0) - stringWidth(cell))
        return side === 'left' ? cell + padding : padding + cell
      })
      .join('  ')
      .trimEnd(),
  )
}
