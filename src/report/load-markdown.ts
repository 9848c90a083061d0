// `summary.md` of a load test: the account for a pull request, a chat or the summary of a CI job.
import type { LoadReport } from '../domain/load.ts'
import { LATENCY_HEADER, latencyRows, loadLines } from './load-account.ts'
import { headlineSentence, LOAD_VERDICTS } from './load-words.ts'
import { foldedList, plain, table } from './markdown.ts'
import { withinBound } from './markdown-bound.ts'
import { thresholdSection } from './thresholds.ts'

const MOST_OF_NOTES = 5_000

export function renderLoadMarkdown(report: LoadReport): string {
  const { run, verdict, reason } = report
  const sets = run.datasets.map(({ path }) => path).join(', ')
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
      latencySection(report),
      thresholdSection(report.thresholds),
      noteSection(report),
    ],
    [`<sub>assist-harness ${plain(run.harnessVersion, 40)}, load test ${plain(run.id, 80)}</sub>`, ''],
    'load.json',
  )
}

function latencySection(report: LoadReport): string[] {
  const rows = latencyRows(report).map(({ name, cells, meaning }) => [`**${name}**`, ...cells, meaning])
  if (rows.length === 0) return []
  return ['### Times', '', ...table([[...LATENCY_HEADER, 'what it is'], ...rows])]
}

function noteSection({ warnings }: LoadReport): string[] {
  const items = warnings.map((one) => [`- ${plain(one, 300)}`])
  return foldedList({ title: 'Notes', count: warnings.length, items, where: 'load.json' }, MOST_OF_NOTES)
}
