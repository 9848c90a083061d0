// What `history` writes and prints: the runs below a folder, oldest first.
import { digits, minute, percent, plural, range } from '../domain/format.ts'
import type { History, HistoryRun, HistorySeries } from '../domain/history.ts'
import { compareTexts } from '../domain/text.ts'
import { listOf, sectionOf, tableOf, verdictOf } from './blocks.ts'
import type { Document } from './document.ts'
import { renderSpreadsheet, type SheetColumn } from './spreadsheet.ts'

interface RunOfSeries {
  readonly run: HistoryRun
  readonly series: HistorySeries
}

const runsOf = ({ series: all }: History): RunOfSeries[] =>
  all
    .flatMap((series) => series.runs.map((run) => ({ run, series })))
    .sort(
      ({ run: a }, { run: b }) =>
        compareTexts(a.run.startedAt, b.run.startedAt) || compareTexts(a.folder, b.folder),
    )

const COLUMNS: readonly SheetColumn<RunOfSeries>[] = [
  ['series', ({ series: { name } }) => name],
  ['started_at', ({ run: { run } }) => run.startedAt],
  ['ended_at', ({ run: { run } }) => run.endedAt],
  ['run', ({ run: { run } }) => run.id],
  ['folder', ({ run: { folder } }) => folder],
  ['target', ({ series: { target } }) => target],
  ['organization', ({ series: { organization } }) => organization],
  ['question_sets', ({ series: { sets } }) => sets.join(';')],
  ['state', ({ run: { state } }) => state],
  ['verdict', ({ run: { verdict } }) => verdict],
  ['exit_code', ({ run: { exitCode } }) => exitCode],
  ['turns', ({ run: { turns } }) => turns.total],
  ['answered', ({ run: { turns } }) => turns.answered],
  ['coverage', ({ run: { coverage } }) => coverage.rate, 4],
  ['coverage_low', ({ run: { coverage } }) => (coverage.cluster ?? coverage).low, 4],
  ['coverage_high', ({ run: { coverage } }) => (coverage.cluster ?? coverage).high, 4],
  ['passed', ({ run: { expectations } }) => expectations.rate, 4],
  ['errors', ({ run: { errors } }) => errors.rate, 4],
  ['latency_p95_ms', ({ run: { latencyMs } }) => latencyMs.p95, 1],
  ['usage_min', ({ run: { quota } }) => quota.min],
  ['usage_max', ({ run: { quota } }) => quota.max],
  ['quota_calls', ({ run: { run } }) => run.quota?.calls],
  ['questions_changed', ({ run: { questionsChanged } }) => questionsChanged],
]

export const renderHistoryCsv = (history: History): Generator<string> =>
  renderSpreadsheet({ columns: COLUMNS, rows: runsOf(history) })

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
