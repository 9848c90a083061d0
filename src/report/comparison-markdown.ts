// A comparison for a pull request or the summary of a CI job: the verdict, the figures, and what changed.
import type { CandidateComparison, Comparison, ComparisonDetails } from '../domain/comparison/comparison.ts'
import { figureRows } from './comparison-figures.ts'
import { changeLists, setLists, type ChangeList, type SetList } from './comparison-lists.ts'
import { changeSections, setSections } from './comparison-markdown-lists.ts'
import {
  gateSection,
  safeTable,
  settingSection,
  sourceSection,
  tagSection,
  trendSection,
} from './comparison-markdown-tables.ts'
import { awaitedSection, describeCandidateReviews, reviewLists } from './comparison-reviews.ts'
import { comparisonTable } from './comparison-table-name.ts'
import { describeBase, describeLevel, describeSensitivity } from './comparison-trust.ts'
import {
  describeChanges,
  describeLowOverlap,
  describeMonthly,
  describeOverlap,
  describeRuns,
} from './comparison-words.ts'
import { foldedList, plain } from './markdown.ts'
import { MOST_A_LIST, withinBound } from './markdown-bound.ts'

const MOST_OF_NOTES = 5_000
/** Of all lists together, which share it: none of them, and no candidate, is left out for another's length. */
const MOST_OF_LISTS = 44_000
const LEAST_OF_A_LIST = 600
/** Of the lists that say how the sets differ. */
const MOST_OF_SET = 2_500
/** Of the answers that wait for a person. */
const MOST_OF_AWAITED = 5_000

interface Compared {
  readonly candidate: CandidateComparison
  readonly changes: readonly ChangeList[]
  readonly sets: readonly SetList[]
}

/** At most 60,000 characters. `details` may be empty. */
export function renderComparisonMarkdown(comparison: Comparison, details: ComparisonDetails): string {
  const { candidates, harnessVersion, notes } = comparison
  const compared = candidates.map((candidate, place): Compared => ({
    candidate,
    changes: changeLists(candidate, details.shown[place]),
    sets: setLists(candidate),
  }))
  const lists = compared.reduce(
    (sum, { candidate, changes, sets }) => sum + changes.length + sets.length + reviewLists(candidate),
    0,
  )
  const share = Math.floor(MOST_OF_LISTS / Math.max(1, lists))
  const mostAList = Math.min(MOST_A_LIST, Math.max(LEAST_OF_A_LIST, share))
  const level = describeLevel(comparison)
  const foot = [
    `assist-harness ${plain(harnessVersion, 40)}`,
    ...(level === undefined ? [] : [plain(level, 300)]),
  ]
  return withinBound(
    [
      heading(comparison),
      trendSection(comparison),
      ...compared.flatMap((one) => candidateSections(one, comparison, mostAList)),
      noteSection(notes),
    ],
    [`<sub>${foot.join('. ')}</sub>`, ''],
    'comparison.json and comparison.csv',
  )
}

function heading(comparison: Comparison): string[] {
  const { verdict, reason, runs, candidates } = comparison
  const word = { passed: 'Passed', failed: 'Failed' }[verdict]
  const [only, ...more] = candidates
  const what = only !== undefined && more.length === 0 ? `: ${describeOverlap(only)}` : ''
  const sets = [...new Set(runs.flatMap(({ datasets }) => datasets))].join(', ')
  return [
    `## ${word}: ${plain(reason, 400)}`,
    '',
    `${plain(describeRuns(comparison) + what, 600)} (${plain(sets, 200)})`,
    '',
  ]
}

function candidateSections(
  { candidate, changes, sets }: Compared,
  comparison: Comparison,
  mostAList: number,
): string[][] {
  const where = plain(comparisonTable(comparison.runs, candidate.run), 100)
  return [
    candidateHead({ candidate, changes }, comparison),
    gateSection(candidate),
    settingSection(candidate),
    // What fails in both is no change: its count stands above.
    ...changeSections(
      changes.filter(({ tone }) => tone !== 'same'),
      mostAList,
      where,
    ),
    awaitedSection(candidate, Math.min(mostAList, MOST_OF_AWAITED), where),
    tagSection(candidate, comparison.options.alpha),
    sourceSection(candidate),
    ...setSections(sets, Math.min(mostAList, MOST_OF_SET), where),
    noteSection(candidate.notes),
  ]
}

function candidateHead(
  { candidate, changes }: Omit<Compared, 'sets'>,
  { options, runs, candidates }: Comparison,
): string[] {
  const isOnly = candidates.length === 1
  const low = describeLowOverlap(candidate, options)
  const figures = figureRows(candidate, options.alpha, !isOnly)
  const monthly = describeMonthly(candidate)
  const reviews = describeCandidateReviews(candidate)
  const sentences = [
    ...(isOnly && low === undefined ? [`${describeBase(candidate)}.`] : []),
    ...(monthly === undefined ? [] : [`${monthly}.`]),
    ...describeSensitivity(candidate).map((one) => `${one}.`),
  ]
  const label = runs[candidate.run]?.label ?? ''
  return [
    ...(isOnly ? [] : [`## ${plain(label, 80)}: ${plain(describeOverlap(candidate), 200)}`, '']),
    ...(low === undefined ? [] : [plain(low, 500), '']),
    plain(describeChanges(candidate, changes).join(' '), 1000),
    '',
    ...(reviews === undefined ? [] : [plain(reviews, 300), '']),
    ...(figures.length < 2 ? [] : safeTable(figures)),
    ...(sentences.length === 0 ? [] : [plain(sentences.join(' '), 1000), '']),
  ]
}

function noteSection(notes: readonly string[]): string[] {
  const items = notes.map((one) => [`- ${plain(one, 300)}`])
  return foldedList({ title: 'Notes', count: notes.length, items, where: 'comparison.json' }, MOST_OF_NOTES)
}
