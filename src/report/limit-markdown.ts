// `summary.md` of a search for the organization's limit.
import type { LimitReport } from '../domain/load.ts'
import { limitReportLines } from './limit-search-words.ts'
import { explainedCells, modelWords } from './limit-words.ts'
import { plain, table } from './markdown.ts'
import { withinBound } from './markdown-bound.ts'

export function renderLimitMarkdown(report: LimitReport): string {
  const { run, verdict, reason, finding, warnings } = report
  const word = { known: 'Known', unmet: 'Not met', unknown: 'Not known' }[verdict]
  const models = finding.evidence.models.map((model) => {
    const { refused, accepted } = explainedCells(model, finding.evidence)
    return [plain(modelWords(model), 120), refused, accepted]
  })
  return withinBound(
    [
      [
        `## ${word}: ${plain(reason, 400)}`,
        '',
        `${plain(run.target, 80)} (${plain(run.origin, 120)}), started ${run.startedAt}, ended ${run.endedAt ?? 'unknown'}`,
        '',
        ...table([
          ['figure', 'this search'],
          ...limitReportLines(report).map(({ label, words }) => [`**${label}**`, plain(words, 400)]),
        ]),
      ],
      models.length === 0
        ? []
        : [
            '### Kinds of limit that were tried on the record',
            '',
            ...table([['kind, the best first', 'refusals explained', 'calls let through'], ...models]),
          ],
      warnings.map((one) => `- ${plain(one, 300)}`),
    ],
    [
      `<sub>assist-harness ${plain(run.harnessVersion, 40)}, search for the limit ${plain(run.id, 80)}</sub>`,
      '',
    ],
    'limit.json',
  )
}
