// The account of a load test on the screen: one screen, the answer first.
import { digits } from '../domain/text.ts'
import type { LoadReport } from '../domain/load.ts'
import { headlineSentence, LATENCY_HEADER, latencyRows, loadLines, LOAD_VERDICTS } from './load-account.ts'
import { alignTable, type Align } from './table.ts'
import { listThresholds } from './thresholds.ts'
import { visible } from './visible.ts'
import { LINE_WIDTH, wrap } from './wrap.ts'

const LABEL_WIDTH = 11
const MOST_NOTES = 8
/** The times stand at the right, between their name and what they are. */
const ALIGNED = LATENCY_HEADER.map((_, column): Align =>
  column === 0 || column === LATENCY_HEADER.length - 1 ? 'left' : 'right',
)

/** Lines of plain text, without the verdict. */
export function renderLoadScreen(report: LoadReport): string {
  const lines = loadLines(report).flatMap(({ label, words }) =>
    wrap(visible(words), '', LINE_WIDTH - LABEL_WIDTH).map(
      (line, place) => (place === 0 ? label : '').padEnd(LABEL_WIDTH) + line,
    ),
  )
  const times = latencyRows(report)
  return [
    ...wrap(visible(headlineSentence(report))),
    '',
    ...lines,
    ...(times.length === 0 ? [] : ['', ...alignTable([[...LATENCY_HEADER], ...times], ALIGNED)]),
    ...listThresholds(report.thresholds),
    ...listNotes(report.warnings),
  ].join('\n')
}

function listNotes(warnings: LoadReport['warnings']): string[] {
  if (warnings.length === 0) return []
  const left = warnings.length - MOST_NOTES
  return [
    '',
    ...warnings.slice(0, MOST_NOTES).flatMap(({ text }) => wrap(`Note: ${visible(text)}`, '      ')),
    ...(left > 0 ? [`and ${digits(left)} more notes: see load.json`] : []),
  ]
}

/** The one line that says how it went. */
export function renderLoadVerdict({ verdict, reason, exitCode }: LoadReport): string {
  return `${LOAD_VERDICTS[verdict]}: ${visible(reason)} (exit code ${exitCode})`
}
