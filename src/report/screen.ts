// The account on the screen, after a run.
import type { Highlight, Highlights } from '../domain/highlights.ts'
import type { Summary } from '../domain/summary.ts'
import { accountLines, tagRows } from './account.ts'
import { plural } from './numbers.ts'
import { alignTable } from './table.ts'
import { shorten, visible } from './visible.ts'

/** Gaps and errors shown each; the rest stand in `results.csv`. */
const MOST_HIGHLIGHTS = 8
const QUESTION_WIDTH = 70
const MOST_TAGS = 20

/** The account as lines of plain text, without the verdict. */
export function renderScreen(summary: Summary, highlights: Highlights): string {
  const account = accountLines(summary).map(({ label, words }) => [visible(label), visible(words)])
  const [header = [], ...allTags] = tagRows(summary)
  const tags = [header, ...allTags.slice(0, MOST_TAGS)].map((row) =>
    row.map((cell) => shorten(visible(cell), 40)),
  )
  const tagsLeft = allTags.length - MOST_TAGS
  const { gaps, errors } = highlights
  const gapCount = summary.coverage.answered - summary.coverage.grounded
  return [
    ...alignTable(account, ['left', 'left']),
    ...(tags.length > 1
      ? ['', ...alignTable(tags, ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'right'])]
      : []),
    ...(tagsLeft > 0 ? [`and ${plural(tagsLeft, 'more tag')}: see summary.md`] : []),
    ...listHighlights(`Not from the knowledge base (${gapCount}):`, gaps, gapCount),
    ...listHighlights(`Errors (${summary.errors.errors}):`, errors, summary.errors.errors),
    ...(summary.warnings.length > 0
      ? ['', ...summary.warnings.map((warning) => `Note: ${visible(warning)}`)]
      : []),
  ].join('\n')
}

/** The one line that says how it went. */
export function renderVerdict({ verdict, reason, exitCode }: Summary): string {
  const word = { passed: 'Passed', failed: 'Failed', incomplete: 'Incomplete' }[verdict]
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
    ...(rest > 0 ? [`  and ${plural(rest, 'more', 'more')}: see results.csv`] : []),
  ]
}
