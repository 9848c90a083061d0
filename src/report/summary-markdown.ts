// `summary.md`: the account for a pull request or a chat.
import type { Highlight, Highlights } from '../domain/highlights.ts'
import type { Summary } from '../domain/summary.ts'
import { accountLines, tagRows } from './account.ts'
import { plainMarkdown, shorten } from './visible.ts'

export function renderSummaryMarkdown(summary: Summary, highlights: Highlights): string {
  const { run, verdict, reason, warnings } = summary
  const mark = { passed: '✅ Passed', failed: '❌ Failed', incomplete: '⚠️ Incomplete' }[verdict]
  const sets = run.datasets.map(({ path }) => path).join(', ')
  const gapCount = summary.coverage.answered - summary.coverage.grounded
  return [
    `## ${mark}: ${plainMarkdown(reason)}`,
    '',
    `${plainMarkdown(sets)} against ${plainMarkdown(run.target)} (${plainMarkdown(run.origin)}), ` +
      `started ${run.startedAt}, ended ${run.endedAt ?? 'unknown'}`,
    '',
    ...table([
      ['', ''],
      ...accountLines(summary).map(({ label, words }) => [`**${label}**`, plainMarkdown(words)]),
    ]),
    ...(Object.keys(summary.tags).length === 0 ? [] : ['### By tag', '', ...tagTable(summary)]),
    ...list('Not from the knowledge base', highlights.gaps, gapCount),
    ...list('Errors', highlights.errors, summary.errors.errors),
    ...(warnings.length === 0
      ? []
      : ['### Notes', '', ...warnings.map((one) => `- ${plainMarkdown(one)}`), '']),
    `<sub>assist-harness ${plainMarkdown(run.harnessVersion)}, run ${plainMarkdown(run.id)}</sub>`,
    '',
  ].join('\n')
}

function tagTable(summary: Summary): string[] {
  const [header = [], ...rows] = tagRows(summary)
  return table([header, ...rows.map((row) => row.map((cell) => plainMarkdown(shorten(cell, 80))))])
}

function table([header = [], ...rows]: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line), '']
}

function list(title: string, highlights: readonly Highlight[], count: number): string[] {
  if (count === 0) return []
  const rest = count - highlights.length
  return [
    `### ${title} (${count})`,
    '',
    ...highlights.map(
      ({ id, message, what }) =>
        `- **${plainMarkdown(shorten(id, 60))}** ${plainMarkdown(shorten(message, 200))} (${plainMarkdown(shorten(what, 200))})`,
    ),
    ...(rest > 0 ? [`- and ${rest} more: see results.csv`] : []),
    '',
  ]
}
