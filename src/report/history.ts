// What `history` prints: the runs below a folder, oldest first.
import { digits, minute, percent, plural, range } from '../domain/format.ts'
import type { History } from '../domain/history.ts'
import { compareTexts } from '../domain/text.ts'
import { listOf, sectionOf, tableOf, verdictOf } from './blocks.ts'
import type { Document } from './document.ts'
import type { RunOfSeries } from './tables.ts'

export const runsOf = ({ series: all }: History): RunOfSeries[] =>
  all
    .flatMap((series) => series.runs.map((run) => ({ run, series })))
    .sort(
      ({ run: a }, { run: b }) =>
        compareTexts(a.run.startedAt, b.run.startedAt) || compareTexts(a.folder, b.folder),
    )

export function historyDocument(history: History, name: string): Document {
  const runs = runsOf(history)
  const latest = history.series.flatMap((series) => series.runs.at(-1) ?? [])
  const failed = latest.filter(({ verdict }) => verdict === 'failed').length
  return {
    title: ['History of ', { untrusted: name }],
    facts: plural(runs.length, 'run'),
    at: null,
    // A history is not judged.
    verdict: verdictOf('done', `latest runs that failed: ${digits(failed)} of ${digits(latest.length)}`),
    sections: [
      sectionOf(
        'overview',
        tableOf(
          'Runs',
          ['Folder', 'Time (UTC)', 'Set', 'Verdict', 'Grounded', 'Met', 'Calls'],
          runs.map(({ run, series }) => [
            { untrusted: run.folder },
            minute(run.run.startedAt),
            { untrusted: series.sets.join(' + ') },
            run.verdict,
            percent(run.coverage.rate),
            percent(run.expectations.rate),
            range(run.quota.min, run.quota.max),
          ]),
          { words: 4 },
        ),
        listOf(
          'Left out',
          history.leftOut.map(({ folder, reason }) => ({
            text: [{ untrusted: folder }, ': ', { untrusted: reason.text }],
          })),
        ),
      ),
    ],
  }
}
