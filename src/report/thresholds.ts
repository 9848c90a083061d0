// Thresholds and what became of them, as a table of the screen and of Markdown: of runs and load tests alike.
import type { ThresholdResult } from '../domain/gate.ts'
import { plain, table } from './markdown.ts'
import { alignTable } from './table.ts'
import { visible } from './visible.ts'

const MOST_ROWS = 40

/** Lines of plain text; none without thresholds. */
export function listThresholds(thresholds: readonly ThresholdResult[]): string[] {
  if (thresholds.length === 0) return []
  const rows = thresholds.map(({ passed, expression, reason }) => [
    passed ? '  passed' : '  FAILED',
    visible(expression),
    visible(reason),
  ])
  return ['', 'Thresholds:', ...alignTable(rows, ['left', 'left', 'left'])]
}

/** Lines of Markdown; none without thresholds. */
export function thresholdSection(thresholds: readonly ThresholdResult[]): string[] {
  if (thresholds.length === 0) return []
  const rows = thresholds
    .slice(0, MOST_ROWS)
    .map(({ expression, value, passed, reason }) => [
      plain(expression, 80),
      value === null ? 'n/a' : String(Number(value.toPrecision(4))),
      passed ? 'passed' : '**failed**',
      plain(reason, 120),
    ])
  return ['### Thresholds', '', ...table([['threshold', 'value', 'verdict', 'why'], ...rows])]
}
