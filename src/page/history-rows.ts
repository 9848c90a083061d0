// The runs of a chart as the tables below it have them: nothing is in the page twice.

export interface RunRow {
  /** 0 to 1 across the chart. */
  readonly across: number
  /** When it was started. */
  readonly name: string
  /** Of its own report; undefined where that is not there. */
  readonly href: string | undefined
  /** Those that the chart shows, and what is to be known with them. */
  readonly figures: string
  readonly words: string
}

/** In the order of time; empty where the tables do not fit the chart. */
export function readRuns({ dataset }: HTMLElement): RunRow[] {
  const places = (dataset['places'] ?? '').split(' ').map(Number)
  const columns = (dataset['columns'] ?? '').split('|')
  const tables = document.getElementById(dataset['rows'] ?? '')
  const rows = [...(tables?.querySelectorAll('tbody tr') ?? [])].reverse()
  if (rows.length !== places.length) return []
  return rows.map((row, place) => {
    const header = [...(row.closest('table')?.querySelector('thead tr')?.children ?? [])].map(textOf)
    const cells = [...row.children]
    const values = cells.map(textOf)
    const name = `${values[0] ?? ''} UTC`
    const valueOf = (column: string): string => values[header.indexOf(column)] ?? ''
    // Words stand for themselves.
    const figures = columns
      .filter((column) => valueOf(column) !== '')
      .map((column) =>
        /\d/.test(valueOf(column).slice(0, 1)) ? `${column} ${valueOf(column)}` : valueOf(column),
      )
      .join(', ')
    const href = cells[0]?.querySelector('a')?.getAttribute('href') ?? undefined
    return { across: places[place] ?? 0, name, href, figures, words: `${name}: ${figures}` }
  })
}

const textOf = (cell: Element): string => (cell.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
