// `history.csv`: a row a run, by start, safe to open in a spreadsheet. Its columns keep their names and order; new ones are added at the end.
import { compareTexts } from '../../domain/compare-texts.ts'
import type { History, HistoryRun, HistorySeries } from '../../domain/history/history.ts'
import { decimals, renderSpreadsheet, type DecimalFormat, type SpreadsheetLayout } from '../spreadsheet.ts'

const COLUMNS = [
  'series',
  'started_at',
  'ended_at',
  'run',
  'folder',
  'target',
  'organization',
  'question_sets',
  'part',
  'repeat',
  'state',
  'verdict',
  'exit_code',
  'harness_version',
  'turns',
  'asked',
  'answered',
  'coverage',
  'coverage_low',
  'coverage_high',
  'passed',
  'passed_low',
  'passed_high',
  'errors',
  'error_count',
  'latency_p50_ms',
  'latency_p95_ms',
  'rate_429',
  'attempts',
  'usage_min',
  'usage_max',
  'month_usage_min',
  'month_usage_max',
  'quota_calls',
  'quota_period',
  'month_quota_share',
  'flaky',
  'gap_topics',
  'gap_questions',
  'questions_changed',
  'settings_changed',
] as const

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
  yield* renderSpreadsheet(COLUMNS, cells(), layout)
}

function cellsOf(series: HistorySeries, run: HistoryRun, decimal: DecimalFormat): string[] {
  const { coverage, passed, errors, latencyMs, usage, month, quota, gaps, changes } = run
  const share = (value: number | null): string | undefined => decimal(value, 4)
  const cells: Record<(typeof COLUMNS)[number], string | number | boolean | null | undefined> = {
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
  return COLUMNS.map((name) => String(cells[name] ?? ''))
}
