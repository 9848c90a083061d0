// A comparison on the screen: what changed, whether the totals moved beyond noise, the figures, the questions, the gates.
import stringWidth from 'string-width'
import type {
  ShownChange,
  CandidateComparison,
  Comparison,
  ComparisonDetails,
} from '../domain/comparison/comparison.ts'
import type { Message } from '../domain/messages.ts'
import { comparisonTable } from './comparison-csv.ts'
import { changeLists, setLists, whatChanged } from './comparison-lists.ts'
import {
  describeChanges,
  describeMonthly,
  describeOverlap,
  describeRuns,
  describeTotals,
  figureRows,
  gateRows,
  type Rows,
  settingRows,
  sourceRows,
  tagRows,
  trendRows,
} from './comparison-tables.ts'
import { describeAwaited, describeReviews } from './reviews.ts'
import { alignTable } from './table.ts'
import { shorten, visible } from './visible.ts'
import { fit, LINE_WIDTH, wrap } from './wrap.ts'

/** Rows of a list or table; with several candidates fewer. */
const MOST = { one: 8, several: 3 } as const
const MOST_NOTES = 12
/** Of a sentence. */
const LONGEST = 1_000

/** Lines of plain text, none much wider than a terminal, without the verdict. `details` may be empty. */
export function renderComparisonScreen(comparison: Comparison, details: ComparisonDetails): string {
  const { candidates, runs, notes } = comparison
  const isOne = candidates.length === 1
  return [
    ...paragraph(describeRuns(comparison)),
    ...candidates.flatMap((candidate, place) => [
      '',
      isOne
        ? describeOverlap(candidate)
        : `── ${fit(visible(runs[candidate.run]?.label ?? ''), 50)}: ${describeOverlap(candidate)} ──`,
      ...candidateLines(candidate, details.shown[place] ?? [], comparison, isOne ? MOST.one : MOST.several),
    ]),
    ...section('Over the runs:', trendRows(comparison), 20),
    ...noteLines(notes),
  ].join('\n')
}

/** The one line that says how it went. */
export function renderComparisonVerdict({ verdict, reason, exitCode }: Comparison): string {
  const word = { passed: 'Passed', failed: 'Failed' }[verdict]
  return `${word}: ${visible(reason)} (exit code ${exitCode})`
}

function candidateLines(
  candidate: CandidateComparison,
  shown: readonly ShownChange[],
  { options, runs }: Comparison,
  most: number,
): string[] {
  const where = comparisonTable(runs, candidate.run)
  const lists = changeLists(candidate, shown)
  const isWhole = most === MOST.one
  const { reviews } = candidate
  return [
    ...paragraph(describeChanges(candidate, lists)),
    ...describeTotals(candidate, options).flatMap(paragraph),
    ...section('Figures:', figureRows(candidate, options.alpha, !isWhole), 20),
    ...paragraph(describeMonthly(candidate) ?? ''),
    ...lists.flatMap((list) =>
      listLines(
        `${list.label} (${list.count})`,
        list.changes.map((change) => [
          change.id,
          change.message,
          `${change.mustPass ? 'must pass; ' : ''}${whatChanged(change, list)}`,
        ]),
        { count: list.count, most: list.tone === 'same' ? Math.min(most, 3) : most, where },
      ),
    ),
    ...(reviews === null ? [] : ['', ...paragraph(`Reviews: ${describeReviews(reviews.counts)}.`)]),
    ...(reviews === null || reviews.awaitedCount === 0
      ? []
      : listLines(
          `Needs your review (${reviews.awaitedCount})`,
          reviews.awaited.map((one) => [one.id, one.message, describeAwaited(one)]),
          { count: reviews.awaitedCount, most, where },
        )),
    ...(isWhole
      ? setLists(candidate).flatMap(({ label, questions }) =>
          listLines(
            `${label} (${questions.length})`,
            questions.map(({ id, message, before = '' }) => [id, message, before]),
            { count: questions.length, most, where },
          ),
        )
      : []),
    ...section('Settings that differ:', settingRows(candidate), 20),
    ...(isWhole ? section('Answers from another source:', sourceRows(candidate), most) : []),
    ...(isWhole ? section('Grounded by tag:', tagRows(candidate), most) : []),
    ...gateLines(candidate),
    ...noteLines(candidate.notes),
  ]
}

const paragraph = (sentence: string): string[] =>
  sentence === '' ? [] : wrap(shorten(visible(sentence), LONGEST))

/** A heading over rows of any text; nothing without a row under the header. */
function section(title: string, [header = [], ...rows]: Rows, most: number): string[] {
  if (rows.length === 0) return []
  const left = rows.length - most
  return [
    '',
    title,
    ...screenTable([header, ...rows.slice(0, most)]),
    ...(left > 0 ? [`  and ${left} more: see comparison.json`] : []),
  ]
}

function listLines(
  title: string,
  rows: Rows,
  { count, most, where }: { readonly count: number; readonly most: number; readonly where: string },
): string[] {
  const shown = rows.slice(0, most)
  const left = count - shown.length
  return ['', `${title}:`, ...screenTable(shown), ...(left > 0 ? [`  and ${left} more: see ${where}`] : [])]
}

const MOST_COLUMNS = 40

/** The last cell takes what is left of the line. */
function screenTable(rows: Rows): string[] {
  const last = (rows[0]?.length ?? 0) - 1
  const safe = rows.map((row) =>
    row.map((cell, column) => (column === last ? visible(cell) : fit(visible(cell), MOST_COLUMNS))),
  )
  const taken = Array.from(
    { length: Math.max(0, last) },
    (_, column) => 2 + Math.max(...safe.map((row) => stringWidth(row[column] ?? ''))),
  ).reduce((sum, width) => sum + width, 2)
  const room = Math.max(20, LINE_WIDTH - taken)
  return alignTable(
    safe.map((row) => row.map((cell, column) => (column === last ? fit(cell, room) : cell))),
    (rows[0] ?? []).map(() => 'left'),
  ).map((line) => `  ${line}`)
}

function gateLines(candidate: CandidateComparison): string[] {
  const [, ...rows] = gateRows(candidate)
  if (rows.length === 0) return []
  return [
    '',
    'Gates:',
    ...rows.flatMap(([rule = '', verdict = '', reason = '']) => {
      const [first = '', ...rest] = wrap(shorten(visible(reason), LONGEST), '', 80)
      return [
        `  ${verdict}  ${rule.padEnd(13)}  ${first}`.trimEnd(),
        ...rest.map((line) => `${' '.repeat(25)}${line}`),
      ]
    }),
  ]
}

function noteLines(notes: readonly Message[]): string[] {
  const left = notes.length - MOST_NOTES
  return [
    ...(notes.length === 0 ? [] : ['']),
    ...notes
      .slice(0, MOST_NOTES)
      .flatMap(({ text }) => wrap(shorten(`Note: ${visible(text)}`, LONGEST), '  ')),
    ...(left > 0 ? [`and ${left} more notes: see comparison.json`] : []),
  ]
}
