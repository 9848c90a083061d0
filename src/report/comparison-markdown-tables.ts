// Tables of the comparison's Markdown, each under its heading; what has no rows is left out.
import { digits } from '../domain/text.ts'
import type { CandidateComparison, Comparison } from '../domain/comparison/comparison.ts'
import { tagDifferenceRows, transitionRows, trendTable } from './comparison-tables.ts'
import { bold, plain, table } from './markdown.ts'

const MOST_ROWS = 20
const MOST_TREND_RUNS = 8

/** Rows of any text, the header first. */
export const safeTable = (rows: readonly (readonly string[])[], most = 80): string[] =>
  table(
    rows.map((row, place) =>
      row.map((cell, column) => (place > 0 && column === 0 ? bold(cell, most) : plain(cell, most))),
    ),
  )

export const gateSection = ({ gates }: CandidateComparison): string[] =>
  section(
    'Gates',
    [
      ['gate', 'verdict', 'why'],
      ...gates.map(({ rule, passed, reason }) => [rule, passed ? 'passed' : 'FAILED', reason]),
    ],
    400,
  )

export const settingSection = ({ settings }: CandidateComparison): string[] =>
  section(
    'The runs differ in more than their answers',
    [
      ['setting', 'baseline', 'candidate', 'what follows'],
      ...settings.map(({ setting, baseline, candidate, meaning }) => [setting, baseline, candidate, meaning]),
    ],
    200,
  )

export const tagSection = (candidate: CandidateComparison, level: number): string[] =>
  section('Tags that differ by more than noise', tagDifferenceRows(candidate, level))

/** The changes only: what kept its source is left out. */
export const sourceSection = (candidate: CandidateComparison): string[] =>
  section('Answers from another source', transitionRows(candidate))

export function trendSection(comparison: Comparison): string[] {
  if (comparison.candidates.length < 2) return []
  const { rows, left } = trendTable(comparison, MOST_TREND_RUNS)
  return [
    ...section('Over the runs; coverage, passed and errors of the questions that all of them have', rows),
    ...(left > 0 ? [`${digits(left)} more after the first: see comparison.json`, ''] : []),
  ]
}

function section(title: string, rows: readonly (readonly string[])[], most = 80): string[] {
  if (rows.length < 2) return []
  const left = rows.length - 1 - MOST_ROWS
  return [
    `### ${title}`,
    '',
    ...safeTable(rows.slice(0, MOST_ROWS + 1), most),
    ...(left > 0 ? [`and ${digits(left)} more: see comparison.json`, ''] : []),
  ]
}
