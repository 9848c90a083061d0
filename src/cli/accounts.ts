// The account of each command: what its result says, as lines for the screen and as a summary for GitHub.
import type { RunResult } from '../library/conclude.ts'
import type { CompareResult, WrittenComparison } from '../library/compare.ts'
import type { LimitResult, LoadResult } from '../library/load.ts'
import { runFolder } from '../library/run-folder.ts'
import { renderComparisonMarkdown } from '../report/comparison-markdown.ts'
import { renderComparisonScreen, renderComparisonVerdict } from '../report/comparison-screen.ts'
import { describeLedger } from '../report/ledger.ts'
import { renderLimitMarkdown } from '../report/limit-markdown.ts'
import { renderLimitScreen, renderLimitVerdict } from '../report/limit-screen.ts'
import { renderLoadMarkdown } from '../report/load-markdown.ts'
import { renderLoadScreen, renderLoadVerdict } from '../report/load-screen.ts'
import { mergeCommand } from '../report/part.ts'
import { renderScreen, renderVerdict } from '../report/screen.ts'
import { shellWord } from '../report/shell-word.ts'
import { renderSummaryMarkdown } from '../report/summary-markdown.ts'
import { paint, tellGithub } from './output.ts'

const COLOURS = {
  passed: 'green',
  done: 'green',
  found: 'green',
  failed: 'red',
  incomplete: 'yellow',
  part: 'yellow',
  unknown: 'yellow',
} as const

const verdictLine = (verdict: string, exitCode: number, line: string): string =>
  `\n${paint(exitCode === 0 ? 'green' : (COLOURS[verdict as keyof typeof COLOURS] ?? 'yellow'), line)}`

/** Of a run, a resume, a report, a merge. */
export function runAccount(result: RunResult): string[] {
  const { summary, shown, resume } = result
  const { details, compared, annotations } = shown
  const folder = runFolder(shown.folder)
  const comparison = compared?.written && withoutReviews(compared.written)
  const changes = comparison && renderComparisonMarkdown(comparison.comparison, comparison.details)
  tellGithub(
    `${renderSummaryMarkdown(summary, details)}${changes === undefined ? '' : `\n${changes}`}`,
    annotations,
  )
  return [
    '',
    renderScreen(summary, details),
    ...(comparison === undefined
      ? []
      : ['', renderComparisonScreen(comparison.comparison, comparison.details)]),
    verdictLine(summary.verdict, summary.exitCode, renderVerdict(summary)),
    `Page:    ${folder.page}`,
    `Results: ${folder.results}`,
    `Summary: ${folder.summaryMarkdown}`,
    ...(compared?.written === undefined ? [] : comparisonFiles(compared.written)),
    ...(summary.shard === undefined
      ? []
      : [`Merge:   ${mergeCommand(summary.shard, shellWord(folder.path))}`]),
    ...(resume === null ? [] : [`Resume:  npx assist-harness run ${resume.map(shellWordOf).join(' ')}`]),
  ]
}

/** Options stay as they are. */
const shellWordOf = (word: string): string => (word.startsWith('--') ? word : shellWord(word))

/** A run's own account tells of its reviews already. */
const withoutReviews = (written: WrittenComparison): WrittenComparison => ({
  ...written,
  comparison: {
    ...written.comparison,
    candidates: written.comparison.candidates.map((one) => ({ ...one, reviews: null })),
  },
})

const comparisonFiles = ({ tables, markdown, pages }: WrittenComparison): string[] => [
  ...pages.map((page) => `Page:    ${page}`),
  `Changes: ${markdown}`,
  ...tables.map((table) => `In full: ${table}`),
]

export function compareAccount(result: CompareResult): string[] {
  const { comparison, details, verdict, exitCode } = result
  tellGithub(renderComparisonMarkdown(comparison, details), [])
  return [
    '',
    renderComparisonScreen(comparison, details),
    verdictLine(verdict, exitCode, renderComparisonVerdict(comparison)),
    ...comparisonFiles(result),
  ]
}

/** Of a load test, or a search for the limit. */
export function loadAccount(result: LoadResult | LimitResult): string[] {
  const { shown, exitCode, verdict } = result
  const folder = runFolder(shown.folder)
  const isLoad = result.kind === 'load'
  tellGithub(isLoad ? renderLoadMarkdown(result.report) : renderLimitMarkdown(result.report), [])
  const line = isLoad ? renderLoadVerdict(result.report) : renderLimitVerdict(result.report)
  const files = isLoad
    ? [
        `Page:    ${folder.page}`,
        `Figures: ${folder.load}`,
        `Summary: ${folder.summaryMarkdown}`,
        `Metrics: ${folder.prometheus}`,
      ]
    : [`Figures: ${folder.limit}`, `Summary: ${folder.summaryMarkdown}`]
  return [
    '',
    isLoad ? renderLoadScreen(result.report) : renderLimitScreen(result.report),
    ...(isLoad && result.ledger !== undefined ? ['', `Ledger     ${describeLedger(result.ledger)}`] : []),
    verdictLine(verdict, exitCode, line),
    ...files,
  ]
}
