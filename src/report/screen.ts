// The account on the screen, after a run.
import type { GapCluster, Summary, FailedTurn, SummaryDetails } from '../domain/summary.ts'
import type { Highlight } from '../domain/highlight.ts'
import type { RepeatedQuestion } from '../domain/repeats.ts'
import { accountLines, tagLegend, tagRows } from './account.ts'
import { failedCount } from './must-pass.ts'
import { digits, plural } from '../domain/text.ts'
import { percent } from './numbers.ts'
import { awaitedCount, describeAwaited } from './reviews.ts'
import { alignTable } from './table.ts'
import { listThresholds } from './thresholds.ts'
import { shorten, visible } from './visible.ts'

/** Gaps and errors shown each; the rest stand in `results.csv`. */
const MOST_HIGHLIGHTS = 8
const QUESTION_WIDTH = 70
const MOST_TAGS = 20

/** The account as lines of plain text, without the verdict. */
export function renderScreen(
  summary: Summary,
  { counts, failures, errors, gaps, flaky, awaited }: SummaryDetails,
): string {
  const account = accountLines(summary).map(({ label, words }) => [visible(label), visible(words)])
  const [header = [], ...allTags] = tagRows(summary)
  const tags = [header, ...allTags.slice(0, MOST_TAGS)].map((row) =>
    row.map((cell) => shorten(visible(cell), 40)),
  )
  const tagsLeft = allTags.length - MOST_TAGS
  const failed = failedCount({ counts })
  return [
    ...alignTable(account, ['left', 'left']),
    ...(tags.length > 1
      ? [
          '',
          ...alignTable(
            tags,
            header.map((_, column) => (column === 0 ? 'left' : 'right')),
          ),
        ]
      : []),
    ...tagLegend(summary),
    ...(tagsLeft > 0 ? [`and ${plural(tagsLeft, 'more tag')}: see summary.md`] : []),
    ...listThresholds(summary.thresholds),
    ...listHighlights(gapTitle(counts), gaps.map(gapHighlight), gaps.length),
    ...listHighlights(`Failed expectations (${digits(failed)}):`, failures.map(failureHighlight), failed),
    ...(counts.wrong === 0
      ? []
      : [
          '',
          `${plural(counts.wrong, 'failed answer')} came from the knowledge base: the article is wrong, or it is the wrong one (summary.md)`,
        ]),
    ...listHighlights(`Errors (${digits(counts.errors)}):`, errors, counts.errors),
    ...listHighlights(`Flaky (${digits(counts.flaky)}):`, flaky.map(flakyHighlight), counts.flaky),
    ...listMustPass(summary.mustPass),
    ...listHighlights(
      `Needs your review (${digits(awaitedCount(summary))}):`,
      awaited.map((one) => ({ ...one, what: describeAwaited(one) })),
      awaitedCount(summary),
    ),
    ...(summary.warnings.length > 0
      ? ['', ...summary.warnings.map((warning) => `Note: ${visible(warning)}`)]
      : []),
  ].join('\n')
}

const gapTitle = ({ gaps, clustered }: SummaryDetails['counts']): string =>
  clustered < gaps
    ? `Gaps, by what they are about (of ${digits(clustered)} of ${plural(gaps, 'question')}, those that weigh most):`
    : 'Gaps, by what they are about:'

const gapHighlight = ({ name, questions }: GapCluster): Highlight => ({
  id: `${digits(questions.length)}×`,
  message: name,
  what: questions[0]?.message ?? '',
})

const failureHighlight = ({ id, message, sentences }: FailedTurn): Highlight => ({
  id,
  message,
  what: sentences.join('; '),
})

const flakyHighlight = ({ id, asked, passRate, groundingRate }: RepeatedQuestion): Highlight => ({
  id,
  message: passRate === null ? '' : `passed ${percent(passRate)} of ${digits(asked)}`,
  what: groundingRate === null ? '' : `from the knowledge base ${percent(groundingRate)}`,
})

function listMustPass(mustPass: Summary['mustPass']): string[] {
  if (mustPass.length === 0) return []
  const rows = mustPass.map((one) => [
    `  ${shorten(visible(one.id), 30)}`,
    shorten(visible(one.reason), QUESTION_WIDTH),
  ])
  return ['', `Must pass, and did not (${digits(mustPass.length)}):`, ...alignTable(rows, ['left', 'left'])]
}

/** The one line that says how it went. */
export function renderVerdict({ verdict, reason, exitCode }: Summary): string {
  const word = { passed: 'Passed', failed: 'Failed', incomplete: 'Incomplete', part: 'Not yet judged' }[
    verdict
  ]
  return `${word}: ${visible(reason)} (exit code ${exitCode})`
}

function listHighlights(title: string, highlights: readonly Highlight[], count: number): string[] {
  if (count === 0) return []
  const shown = highlights.slice(0, MOST_HIGHLIGHTS)
  const rows = shown.map(({ id, message, what }) => [
    `  ${shorten(visible(id), 30)}`,
    shorten(visible(message), QUESTION_WIDTH),
    shorten(visible(what), QUESTION_WIDTH),
  ])
  const rest = count - shown.length
  return [
    '',
    title,
    ...alignTable(rows, ['left', 'left', 'left']),
    ...(rest > 0 ? [`  and ${plural(rest, 'more', 'more')}: see summary.md`] : []),
  ]
}
