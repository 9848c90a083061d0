// A comparison for a pull request or the summary of a CI job: the verdict, what changed, the figures, the questions.
import type {
  ShownChange,
  CandidateComparison,
  Comparison,
  ComparisonDetails,
} from '../domain/comparison/comparison.ts'
import { comparisonTable } from './comparison-csv.ts'
import {
  changeLists,
  describeFacts,
  type ListedChange,
  type ListedChanges,
  type SetList,
  setLists,
  whatChanged,
} from './comparison-lists.ts'
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
import { bold, foldedList, plain, table } from './markdown.ts'
import { MOST_A_LIST, withinBound } from './markdown-bound.ts'
import { markdownDiff } from './markdown-diff.ts'
import { describeAwaited, describeReviews } from './reviews.ts'
import { wordDiff } from './word-diff.ts'

const MOST_ROWS = 20
/** Characters of all lists together, which share them: none is left out for another's length. */
const MOST_OF_LISTS = 44_000
const LEAST_OF_A_LIST = 600

/** At most 60,000 characters. `details` may be empty. */
export function renderComparisonMarkdown(comparison: Comparison, details: ComparisonDetails): string {
  const { candidates, harnessVersion, notes } = comparison
  const shown = candidates.map((candidate, place) => changeLists(candidate, details.shown[place]))
  const lists = shown.flat().length + 4 * candidates.length
  const most = Math.min(MOST_A_LIST, Math.max(LEAST_OF_A_LIST, Math.floor(MOST_OF_LISTS / lists)))
  return withinBound(
    [
      heading(comparison),
      section('Over the runs', trendRows(comparison)),
      ...candidates.flatMap((candidate, place) =>
        candidateSections(candidate, shown[place] ?? [], comparison, most),
      ),
      noteSection(notes.map(({ text }) => text)),
    ],
    [`<sub>assist-harness ${plain(harnessVersion, 40)}</sub>`, ''],
    'comparison.json and comparison.csv',
  )
}

function heading(comparison: Comparison): string[] {
  const { verdict, reason, runs } = comparison
  const word = { passed: 'Passed', failed: 'Failed' }[verdict]
  const sets = [...new Set(runs.flatMap(({ datasets }) => datasets))].join(', ')
  return [
    `## ${word}: ${plain(reason, 400)}`,
    '',
    `${plain(describeRuns(comparison), 600)} (${plain(sets, 200)})`,
    '',
  ]
}

function candidateSections(
  candidate: CandidateComparison,
  lists: readonly ListedChanges[],
  { options, runs, candidates }: Comparison,
  most: number,
): string[][] {
  const where = plain(comparisonTable(runs, candidate.run), 100)
  const isOne = candidates.length === 1
  const label = isOne ? '' : `${plain(runs[candidate.run]?.label ?? '', 80)}: `
  const { reviews } = candidate
  const sentences = [
    describeChanges(candidate, lists),
    ...describeTotals(candidate, options),
    ...(reviews === null ? [] : [`Reviews: ${describeReviews(reviews.counts)}.`]),
  ]
  const seen = new Set<string>()
  const list = (title: string, count: number, items: Iterable<readonly string[]>): string[] =>
    foldedList({ title, count, items, where }, most)
  return [
    [
      `### ${label}${plain(describeOverlap(candidate), 200)}`,
      '',
      ...sentences.flatMap((one) => [plain(one, 1000), '']),
      ...safeTable(figureRows(candidate, options.alpha, !isOne)),
      ...[describeMonthly(candidate)].flatMap((one) => (one === undefined ? [] : [plain(one, 200), ''])),
    ],
    section('Gates', gateRows(candidate), 400),
    // What fails in both is no change: it is counted in comparison.json.
    ...lists
      .filter(({ tone }) => tone !== 'same')
      .map((one) => list(one.label, one.count, changeItems(one, seen))),
    reviews === null
      ? []
      : list(
          'Needs your review',
          reviews.awaitedCount,
          reviews.awaited.map((one) => [item(one), `  - ${plain(describeAwaited(one), 250)}`]),
        ),
    section('Settings that differ', settingRows(candidate)),
    section('Answers from another source', sourceRows(candidate)),
    section('Grounded by tag', tagRows(candidate)),
    ...setLists(candidate).map(({ label: title, questions }) =>
      list(title, questions.length, setItems(questions)),
    ),
    noteSection(candidate.notes.map(({ text }) => text)),
  ]
}

const item = ({ id, message }: { readonly id: string; readonly message: string }): string =>
  `- ${bold(id, 60)} ${plain(message, 200)}`

function* setItems(questions: SetList['questions']): Generator<string[]> {
  for (const one of questions)
    yield [item(one), ...(one.before === undefined ? [] : [`  - before: ${plain(one.before, 200)}`])]
}

/** The answers of a question that stands in several lists are shown in the first. */
function* changeItems(list: ListedChanges, seen: Set<string>): Generator<string[]> {
  for (const change of list.changes) {
    const facts = list.name === 'factsChanged' ? '' : describeFacts(change)
    const diff = seen.has(change.id) ? '' : diffOf(change)
    yield [
      `${item(change)}${change.mustPass ? ' (must pass)' : ''}`,
      `  - ${plain(whatChanged(change, list), 250)}`,
      ...(facts === '' || seen.has(change.id) ? [] : [`  - facts: ${plain(facts, 250)}`]),
      ...(diff === '' ? [] : [`  - ${diff}`]),
    ]
    seen.add(change.id)
  }
}

/** Empty where a run has no answer, or the first ones' texts do not include it. */
function diffOf({ answers }: ListedChange & Partial<ShownChange>): string {
  const [before, after] = [answers?.baseline ?? null, answers?.candidate ?? null]
  return before === null || after === null || before === after ? '' : markdownDiff(wordDiff(before, after))
}

/** Rows of any text, the header first. */
const safeTable = (rows: Rows, most = 80): string[] =>
  table(
    rows.map((row, place) =>
      row.map((cell, column) => (place > 0 && column === 0 ? bold(cell, most) : plain(cell, most))),
    ),
  )

function section(title: string, rows: Rows, most = 80): string[] {
  if (rows.length < 2) return []
  const left = rows.length - 1 - MOST_ROWS
  return [
    `### ${title}`,
    '',
    ...safeTable(rows.slice(0, MOST_ROWS + 1), most),
    ...(left > 0 ? [`and ${left} more: see comparison.json`, ''] : []),
  ]
}

const noteSection = (notes: readonly string[]): string[] =>
  foldedList(
    {
      title: 'Notes',
      count: notes.length,
      items: notes.map((one) => [`- ${plain(one, 300)}`]),
      where: 'comparison.json',
    },
    5_000,
  )
