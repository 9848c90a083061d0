// Results tables as the harness writes them.
import { RESULT_COLUMNS } from '../../src/domain/result-columns.ts'

export type ResultFields = Partial<Record<(typeof RESULT_COLUMNS)[number], string>>

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

/** As the harness writes it: fixed columns, then the set's own. */
export function results(
  rows: readonly (ResultFields & { own?: readonly string[] })[],
  own: readonly string[] = [],
): string {
  const lines = rows.map((row) => [...RESULT_COLUMNS.map((name) => row[name] ?? ''), ...(row.own ?? [])])
  return [[...RESULT_COLUMNS, ...own], ...lines].map((cells) => cells.map(quote).join(',')).join('\n')
}

export const answered = {
  repeat: '1',
  answer: 'Use the portal.',
  outcome: 'answered',
  grounded: 'true',
  latency_ms: '812.4',
}
