// `history.csv`: a row a run, by start, safe to open in a spreadsheet.
import type { History, HistoryRun, HistorySeries } from '../domain/history.ts'
import { compareTexts } from '../domain/text.ts'
import { decimals, renderSpreadsheet, type DecimalFormat, type SpreadsheetLayout } from './spreadsheet.ts'

type Cell = string | number | boolean | null | undefined

/** In the order of the columns; a value that a run has not is an empty cell. */
const COLUMNS: Readonly<
  Record<string, (run: HistoryRun, series: HistorySeries, decimal: DecimalFormat) => Cell>
> = {
  series: (_, { name }) => name,
  started_at: ({ startedAt }) => startedAt,
  ended_at: ({ endedAt }) => endedAt,
  run: ({ id }) => id,
  folder: ({ folder }) => folder,
  target: (_, { target }) => target,
  organization: (_, { organization }) => organization,
  question_sets: (_, { sets }) => sets.join(';'),
  state: ({ state }) => state,
  verdict: ({ verdict }) => verdict,
  exit_code: ({ exitCode }) => exitCode,
  turns: ({ turns }) => turns,
  answered: ({ answered }) => answered,
  coverage: ({ coverage }, _, decimal) => decimal(coverage.rate, 4),
  coverage_low: ({ coverage }, _, decimal) => decimal(coverage.low, 4),
  coverage_high: ({ coverage }, _, decimal) => decimal(coverage.high, 4),
  passed: ({ passed }, _, decimal) => decimal(passed.rate, 4),
  errors: ({ errors }, _, decimal) => decimal(errors.rate, 4),
  latency_p95_ms: ({ latencyMs }, _, decimal) => decimal(latencyMs.p95, 1),
  usage_min: ({ usage }) => usage.min,
  usage_max: ({ usage }) => usage.max,
  quota_calls: ({ quota }) => quota?.calls,
  questions_changed: ({ questionsChanged }) => questionsChanged,
}

/** The file's text in pieces. */
export function* renderHistoryCsv(
  { series }: History,
  layout: SpreadsheetLayout = { excel: undefined },
): Generator<string> {
  const decimal = decimals(layout)
  const rows = series
    .flatMap((of) => of.runs.map((run) => ({ of, run })))
    .sort(
      (a, b) => compareTexts(a.run.startedAt, b.run.startedAt) || compareTexts(a.run.folder, b.run.folder),
    )
    .map(({ of, run }) => Object.values(COLUMNS).map((cell) => String(cell(run, of, decimal) ?? '')))
  yield* renderSpreadsheet(Object.keys(COLUMNS), rows, layout)
}
