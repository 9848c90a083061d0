// How a run or a load test ended, as gauges of run.prom and load.prom.
import type { LoadReport } from '../domain/load.ts'
import type { Latency, Summary } from '../domain/summary.ts'

/** Null leaves a figure out; a list has one value for each set of labels. */
export type MetricFigure = readonly [name: string, help: string, value: number | null | readonly Sample[]]

interface Sample {
  readonly value: number | null
  readonly labels: Readonly<Record<string, string>>
}

function endedFigures(report: Summary | LoadReport): MetricFigure[] {
  const { run, verdict, exitCode, coverage, errors, quota } = report
  const labels = { id: run.id, version: run.harnessVersion, verdict }
  return [
    ['info', 'What these figures describe.', [{ value: 1, labels }]],
    ['passed', '1 if it is done and no gate failed, else 0.', exitCode === 0 ? 1 : 0],
    ['exit_code', 'The exit code of the command.', exitCode],
    ['start_time_seconds', 'When it began, Unix time.', secondsOf(run.startedAt)],
    ['end_time_seconds', 'When it ended, Unix time.', secondsOf(run.endedAt)],
    ['coverage_ratio', 'Share of answers with their context that are grounded.', coverage.rate],
    ['error_ratio', 'Share of sent questions that failed.', errors.rate],
    ['quota_calls_min', 'Calls that certainly count toward the quota.', quota.min],
    ['quota_calls_max', 'Calls that count toward the quota, at most.', quota.max],
  ]
}

export const gaugesOfRun = (summary: Summary): MetricFigure[] => [
  ...endedFigures(summary),
  ['expectations_met_ratio', 'Share of graded questions that passed.', summary.expectations.rate],
]

export const gaugesOfLoad = (report: LoadReport): MetricFigure[] => [
  ...endedFigures(report),
  ['offered_conversations', 'Conversations that were due.', report.offered.threads],
  ['offered_conversations_per_second', 'Rate at which they were due.', report.offered.rate],
  ['started_conversations', 'Conversations that were started.', report.achieved.threads],
  ['started_conversations_per_second', 'Rate at which they were started.', report.achieved.rate],
  ['dropped_conversations', 'Due, but not sent (--max-in-flight).', report.dropped.threads],
  ['calls_per_second', 'Rate at which calls ended.', report.achieved.callsPerSecond],
  quantiles('response', 'From the due time of a call to its last byte.', report.responseMs),
  quantiles('service', 'From sending a call to its last byte.', report.serviceMs),
  quantiles('wait', 'Time that a question waited for --max-in-flight.', report.waitMs),
  quantiles('send_lag', 'How late the load generator sent calls.', report.sendLagMs),
]

function quantiles(name: string, help: string, { p50, p90, p95, p99, max }: Latency): MetricFigure {
  const samples = Object.entries({ '0.5': p50, '0.9': p90, '0.95': p95, '0.99': p99, '1': max })
  return [
    `${name}_quantile_seconds`,
    help,
    samples.map(([quantile, ms]) => ({ labels: { quantile }, value: ms === null ? null : ms / 1000 })),
  ]
}

const secondsOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso) / 1000)
