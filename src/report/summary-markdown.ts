// `summary.md`: the account for a pull request, a chat or the summary of a CI job.
import type { Highlight } from '../domain/highlight.ts'
import type { Summary, FailedTurn, SummaryDetails } from '../domain/summary.ts'
import type { MustPassResult } from '../domain/gate.ts'
import { accountLines, tagLegend, tagRows } from './account.ts'
import { bold, foldedList, plain, table } from './markdown.ts'
import { MOST_A_LIST, withinBound } from './markdown-bound.ts'
import { failedCount } from './must-pass.ts'
import { plural } from '../domain/text.ts'
import { awaitedCount, describeAwaited } from './reviews.ts'
import { thresholdSection } from './thresholds.ts'
import { flakyList, gapList } from './summary-lists.ts'

const MOST_OF_NOTES = 5_000
const MOST_TAGS = 40

/** A list of `details` that is empty is left out. */
export function renderSummaryMarkdown(
  summary: Summary,
  { counts, failures, errors, gaps, flaky, wrong, awaited }: SummaryDetails,
): string {
  const failed = failedCount({ counts })
  const where = 'results.csv'
  const lists = [
    { title: 'Failed expectations', count: failed, items: failures.map(failureItem), where },
    gapList(gaps, counts),
    { title: 'Errors', count: counts.errors, items: errors.map(highlightItem), where },
    {
      title: 'Answers from the knowledge base that failed',
      count: counts.wrong,
      items: wrong.map(failureItem),
      where,
    },
    {
      title: 'Must pass, and did not at first',
      count: summary.mustPass.length,
      items: summary.mustPass.map(mustPassItem),
      where: 'summary.json',
    },
    flakyList(flaky, counts.flaky),
    {
      title: 'Needs your review',
      count: awaitedCount(summary),
      items: awaited.map((one) => highlightItem({ ...one, what: describeAwaited(one) })),
      where,
    },
  ]
  const foot = `<sub>assist-harness ${plain(summary.run.harnessVersion, 40)}, run ${plain(summary.run.id, 80)}</sub>`
  return withinBound(
    [
      [...head(summary), ...table([['figure', 'this run'], ...figureRows(summary)])],
      thresholdSection(summary.thresholds),
      ...lists.map((list) => foldedList(list, MOST_A_LIST)),
      tagSection(summary),
      noteSection(summary),
    ],
    [foot, ''],
    'summary.json and results.csv',
  )
}

function head({ run, verdict, reason }: Summary): string[] {
  const word = { passed: 'Passed', failed: 'Failed', incomplete: 'Incomplete', part: 'Not yet judged' }[
    verdict
  ]
  const sets = run.datasets.map(({ path }) => path).join(', ')
  return [
    `## ${word}: ${plain(reason, 400)}`,
    '',
    `${plain(sets, 200)} against ${plain(run.target, 80)} (${plain(run.origin, 120)}), ` +
      `started ${run.startedAt}, ended ${run.endedAt ?? 'unknown'}`,
    '',
  ]
}

const figureRows = (summary: Summary): string[][] =>
  accountLines(summary).map(({ label, words }) => [`**${label}**`, plain(words, 300)])

function tagSection(summary: Summary): string[] {
  const [header = [], ...rows] = tagRows(summary)
  if (rows.length === 0) return []
  const shown = rows.slice(0, MOST_TAGS).map((row) => row.map((cell) => plain(cell, 40)))
  const hidden = rows.length - shown.length
  return [
    '### By tag',
    '',
    ...table([header, ...shown]),
    ...tagLegend(summary).flatMap((line) => [line, '']),
    ...(hidden === 0 ? [] : [`and ${plural(hidden, 'more tag')}: see summary.json`, '']),
  ]
}

function noteSection({ warnings }: Summary): string[] {
  const items = warnings.map((one) => [`- ${plain(one, 300)}`])
  return foldedList({ title: 'Notes', count: warnings.length, items, where: 'summary.json' }, MOST_OF_NOTES)
}

const failureItem = ({ id, message, sentences }: FailedTurn): string[] => [
  `- ${bold(id, 60)} ${plain(message, 200)}`,
  ...sentences.slice(0, 5).map((sentence) => `  - ${plain(sentence, 200)}`),
]

const mustPassItem = (one: MustPassResult): string[] => [`- ${bold(one.id, 60)}: ${plain(one.reason, 200)}`]

const highlightItem = ({ id, message, what }: Highlight): string[] => [
  `- ${bold(id, 60)} ${plain(message, 200)} (${plain(what, 200)})`,
]
