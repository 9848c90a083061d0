// `summary.md` of a load test: the account for a pull request, a chat or the summary of a CI job.
import type { LoadReport } from '../domain/load.ts'
import { headlineSentence, LATENCY_HEADER, latencyRows, loadLines, LOAD_VERDICTS } from './load-account.ts'
import { foldedList, plain, table } from './markdown.ts'
import { withinBound } from './markdown-bound.ts'
import { thresholdSection } from './thresholds.ts'

const MOST_OF_NOTES = 5_000

export function renderLoadMarkdown(report: LoadReport): string {
  const { run, verdict, reason, warnings, thresholds } = report
  const sets = run.datasets.map(({ path }) => path).join(', ')
  const times = latencyRows(report)
  const notes = warnings.map(({ text }) => [`- ${plain(text, 300)}`])
  return withinBound(
    [
      [
        `## ${LOAD_VERDICTS[verdict]}: ${plain(reason, 400)}`,
        '',
        `**${plain(headlineSentence(report), 600)}**`,
        '',
        `${plain(sets, 200)} against ${plain(run.target, 80)} (${plain(run.origin, 120)}), ` +
          `started ${run.startedAt}, ended ${run.endedAt ?? 'unknown'}`,
        '',
        ...table([
          ['figure', 'this load test'],
          ...loadLines(report).map(({ label, words }) => [`**${label}**`, plain(words, 400)]),
        ]),
      ],
      times.length === 0 ? [] : ['### Times', '', ...table([[...LATENCY_HEADER], ...times])],
      thresholdSection(thresholds),
      foldedList({ title: 'Notes', count: notes.length, items: notes, where: 'load.json' }, MOST_OF_NOTES),
    ],
    [`<sub>assist-harness ${plain(run.harnessVersion, 40)}, load test ${plain(run.id, 80)}</sub>`, ''],
    'load.json',
  )
}
