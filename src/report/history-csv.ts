// `history.csv`: one row per run, ordered by start, safe to open in a spreadsheet.
import type { History, HistoryRun, HistorySeries } from '../domain/history.ts'
import { compareTexts } from '../domain/text.ts'
import { renderSpreadsheet, type SheetColumn } from './spreadsheet.ts'

const COLUMNS: readonly SheetColumn<{ readonly run: HistoryRun; readonly series: HistorySeries }>[] = [
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

/** Yields the file's text in pieces. */
export const renderHistoryCsv = ({ series: all }: History): Generator<string> =>
  renderSpreadsheet({
    columns: COLUMNS,
    rows: all
      .flatMap((series) => series.runs.map((run) => ({ run, series })))
      .sort(
        ({ run: a }, { run: b }) =>
          compareTexts(a.run.startedAt, b.run.startedAt) || compareTexts(a.folder, b.folder),
      ),
  })
