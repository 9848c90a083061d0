// `history.csv`: a row a run, by start, safe to open in a spreadsheet.
import { compareTexts } from '../../domain/text.ts'
import { HISTORY_COLUMNS, type History, type HistoryRun, type HistorySeries } from '../../domain/history.ts'
import { decimals, renderSpreadsheet, type DecimalFormat, type SpreadsheetLayout } from '../spreadsheet.ts'

/** The file's text in pieces. A figure that a run has not is empty. */
export function* renderHistoryCsv(
  { series }: History,
  layout: SpreadsheetLayout = { excel: undefined },
): Generator<string> {
  const decimal = decimals(layout)
  const rows = series.flatMap((of) => of.runs.map((run) => ({ of, run })))
  rows.sort(
    (some, other) =>
      compareTexts(some.run.startedAt, other.run.startedAt) ||
      compareTexts(some.run.folder, other.run.folder),
  )
  const cells = function* (): Generator<string[]> {
    for (const { of, run } of rows) yield cellsOf(of, run, decimal)
  }
  yield* renderSpreadsheet(HISTORY_COLUMNS, cells(), layout)
}

function cellsOf(series: HistorySeries, run: HistoryRun, decimal: DecimalFormat): string[] {
  const { coverage, passed, errors, latencyMs, usage, month, quota, gaps, changes } = run
  const share = (value: number | null): string | undefined => decimal(value, 4)
  const cells: Record<(typeof HISTORY_COLUMNS)[number], string | number | boolean | null | undefined> = {
    series: series.name,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    run: run.id,
    folder: run.folder,
    target: series.target,
    organization: run.organization,
    question_sets: series.sets.join(';'),
    part: series.part,
    repeat: series.repeat,
    state: run.state,
    verdict: run.verdict,
    exit_code: run.exitCode,
    harness_version: run.harnessVersion,
    turns: run.turns,
    asked: run.asked,
    answered: run.answered,
    coverage: share(coverage.rate),
    coverage_low: share(coverage.low),
    coverage_high: share(coverage.high),
    passed: share(passed.rate),
    passed_low: share(passed.low),
    passed_high: share(passed.high),
    errors: share(errors.rate),
    error_count: errors.count,
    latency_p50_ms: decimal(latencyMs.p50, 1),
    latency_p95_ms: decimal(latencyMs.p95, 1),
    rate_429: share(run.rate429),
    attempts: usage.attempts,
    usage_min: usage.min,
    usage_max: usage.max,
    month_usage_min: month.min,
    month_usage_max: month.max,
    quota_calls: quota?.calls,
    quota_period: quota?.period,
    month_quota_share: share(month.share),
    flaky: run.flaky,
    gap_topics: gaps.topics,
    gap_questions: gaps.questions,
    questions_changed: changes.questions,
    settings_changed: changes.settings.map(({ setting }) => setting).join(';'),
  }
  return HISTORY_COLUMNS.map((name) => String(cells[name] ?? ''))
}
