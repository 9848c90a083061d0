// What a search for the organization's limit has found, on the screen.
import type { LimitReport } from '../domain/load.ts'
import { limitReportLines } from './limit-search-words.ts'
import { visible } from './visible.ts'
import { LINE_WIDTH, wrap } from './wrap.ts'

const LABEL_WIDTH = 11

/** Lines of plain text, without the verdict. */
export function renderLimitScreen(report: LimitReport): string {
  return [
    ...limitReportLines(report).flatMap(({ label, words }) =>
      wrap(visible(words), '', LINE_WIDTH - LABEL_WIDTH).map(
        (line, place) => (place === 0 ? label : '').padEnd(LABEL_WIDTH) + line,
      ),
    ),
    ...report.warnings.flatMap((warning) => wrap(`Note: ${visible(warning)}`, '      ')),
  ].join('\n')
}

/** The one line that says how it went. */
export function renderLimitVerdict({ verdict, reason, exitCode }: LimitReport): string {
  const word = { known: 'Known', unmet: 'Not met', unknown: 'Not known' }[verdict]
  return `${word}: ${visible(reason)} (exit code ${exitCode})`
}
