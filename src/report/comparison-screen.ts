// A comparison on the screen: what was compared, the figures, what changed, the gates.
import type { ShownChange } from '../domain/comparison/change.ts'
import type {
  CandidateComparison,
  Comparison,
  ComparisonDetails,
  ComparisonOptions,
} from '../domain/comparison/comparison.ts'
import { figureRows } from './comparison-figures.ts'
import { changeLists, setLists } from './comparison-lists.ts'
import { screenLists, screenSetLists } from './comparison-screen-lists.ts'
import {
  screenGates,
  screenTable,
  screenTags,
  screenTransitions,
  paragraph,
  section,
} from './comparison-screen-tables.ts'
import { comparisonTable } from './comparison-table-name.ts'
import { describeBase, describeLevel, describeSensitivity } from './comparison-trust.ts'
import { describeCandidateReviews, screenAwaited } from './comparison-reviews.ts'
import { screenRuns, screenTrend } from './comparison-screen-runs.ts'
import { describeChanges, describeLowOverlap, describeMonthly, describeOverlap } from './comparison-words.ts'
import { plural } from '../domain/text.ts'
import { shorten, visible } from './visible.ts'
import { fit, LINE_WIDTH, wrap } from './wrap.ts'

const MOST_ITEMS = 8
/** With several candidates. */
const MOST_ITEMS_EACH = 3
const MOST_NOTES = 12
const LONGEST_NOTE = 500

/** Lines of plain text, none much wider than a terminal, without the verdict. `details` may be empty. */
export function renderComparisonScreen(comparison: Comparison, details: ComparisonDetails): string {
  const { candidates, notes } = comparison
  const level = describeLevel(comparison)
  const [only, ...more] = candidates
  const body =
    only !== undefined && more.length === 0
      ? candidateLines(only, details.shown[0] ?? [], comparison, MOST_ITEMS)
      : [
          ...screenTrend(comparison),
          ...candidates.flatMap((candidate, place) => [
            '',
            `── ${fit(visible(comparison.runs[candidate.run]?.label ?? ''), 50)}: ${describeOverlap(candidate)} ──`,
            ...candidateLines(candidate, details.shown[place] ?? [], comparison, MOST_ITEMS_EACH),
          ]),
        ]
  return [
    ...screenRuns(comparison),
    ...body,
    ...(level === undefined ? [] : ['', ...paragraph(level)]),
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
  const isWhole = most === MOST_ITEMS
  const lists = changeLists(candidate, shown)
  const low = describeLowOverlap(candidate, options)
  const monthly = describeMonthly(candidate)
  const reviews = describeCandidateReviews(candidate)
  return [
    ...(low === undefined ? [] : ['', ...paragraph(low)]),
    '',
    ...describeChanges(candidate, lists).flatMap(paragraph),
    ...(reviews === undefined ? [] : paragraph(reviews)),
    ...screenFigures(candidate, options, isWhole),
    ...(monthly === undefined ? [] : paragraph(`${monthly}.`)),
    ...screenSettings(candidate),
    ...(isWhole ? screenTransitions(candidate) : []),
    ...screenLists(lists, most, where),
    ...screenAwaited(candidate, most, where),
    ...(isWhole ? screenSetLists(setLists(candidate), most, where) : []),
    ...screenTags(candidate, options.alpha),
    ...screenGates(candidate, isWhole),
    ...describeSensitivity(candidate).flatMap((sentence) => paragraph(`${sentence}.`)),
    ...noteLines(candidate.notes),
  ]
}

function screenFigures(
  candidate: CandidateComparison,
  { alpha }: ComparisonOptions,
  isWhole: boolean,
): string[] {
  const rows = figureRows(candidate, alpha, !isWhole)
  if (rows.length < 2) return []
  const base = isWhole && !candidate.overlap.isLow ? paragraph(`${describeBase(candidate)}.`) : []
  return ['', ...screenTable(rows, [13, 15, 15, 44, 22]), ...base]
}

function screenSettings({ settings }: CandidateComparison): string[] {
  if (settings.length === 0) return []
  return [
    ...section('The runs differ in more than their answers:'),
    ...settings
      .slice(0, MOST_ITEMS)
      .map(({ setting, baseline, candidate, meaning }) =>
        [
          `${cut(setting)}: ${cut(baseline)} → ${cut(candidate)}`,
          ...(meaning === '' ? [] : [visible(meaning)]),
        ].join(': '),
      )
      .flatMap((line) => wrap(shorten(line, LONGEST_NOTE), '  ', LINE_WIDTH - 2).map((one) => `  ${one}`)),
    ...(settings.length > MOST_ITEMS
      ? [`  and ${settings.length - MOST_ITEMS} more: see comparison.json`]
      : []),
  ]
}

function noteLines(notes: readonly string[]): string[] {
  const left = notes.length - MOST_NOTES
  return [
    ...(notes.length === 0 ? [] : ['']),
    ...notes
      .slice(0, MOST_NOTES)
      .flatMap((note) => wrap(shorten(`Note: ${visible(note)}`, LONGEST_NOTE), '  ')),
    ...(left > 0 ? [`and ${plural(left, 'more note')}: see comparison.json`] : []),
  ]
}

const cut = (text: string): string => shorten(visible(text), 60)
