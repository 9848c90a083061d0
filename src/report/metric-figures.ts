// How a run or a load test ended, as gauges of run.prom and load.prom.
import type { LoadReport } from '../domain/load.ts'
import type { Latency, Summary } from '../domain/summary.ts'

export interface MetricFigure {
  readonly name: string
  readonly help: string
  readonly samples: readonly Sample[]
}

/** Null leaves the sample out. */
interface Sample {
  readonly value: number | null
  readonly labels?: Readonly<Record<string, string>>
}

const figure = (name: string, help: string, of: number | null | readonly Sample[]): MetricFigure => ({
  name,
  help,
  samples: typeof of === 'number' || of === null ? [{ value: of }] : of,
})

const endedFigures = ({
  run,
  verdict,
  exitCode,
  coverage,
  errors,
  quota,
}: Summary | LoadReport): MetricFigure[] => [
  figure('info', 'What these figures describe.', [
    { value: 1, labels: { run: run.id, version: run.harnessVersion, verdict } },
  ]),
  figure('passed', '1 if it is done and no gate failed, else 0.', exitCode === 0 ? 1 : 0),
  figure('exit_code', 'The exit code of the command.', exitCode),
  figure('start_time_seconds', 'When it began, Unix time.', secondsOf(run.startedAt)),
  figure('end_time_seconds', 'When it ended, Unix time.', secondsOf(run.endedAt)),
  figure('coverage_ratio', 'Share of answers with their context that are grounded.', coverage.rate),
  figure('error_ratio', 'Share of sent questions that failed.', errors.rate),
  figure('quota_calls_min', 'Calls that certainly count toward the quota.', quota.min),
  figure('quota_calls_max', 'Calls that count toward the quota, at most.', quota.max),
]

export const gaugesOfRun = (summary: Summary): MetricFigure[] => [
  ...endedFigures(summary),
  figure('expectations_met_ratio', 'Share of graded questions that passed.', summary.expectations.rate),
]

export const gaugesOfLoad = (report: LoadReport): MetricFigure[] => [
  ...endedFigures(report),
  figure('offered_conversations', 'Conversations that were due.', report.offered.threads),
  figure('offered_conversations_per_second', 'Rate at which they were due.', report.offered.rate),
  figure('started_conversations', 'Conversations that were started.', report.achieved.threads),
  figure('started_conversations_per_second', 'Rate at which they were started.', report.achieved.rate),
  figure('dropped_conversations', 'Due, but not sent (--max-in-flight).', report.dropped.threads),
  figure('calls_per_second', 'Rate at which calls ended.', report.achieved.callsPerSecond),
  figure(
    'response_quantile_seconds',
    'From the due time of a call to its last byte.',
    quantiles(report.responseMs),
  ),
  figure('service_quantile_seconds', 'From sending a call to its last byte.', quantiles(report.serviceMs)),
  figure(
    'wait_quantile_seconds',
    'Time that a question waited for --max-in-flight.',
    quantiles(report.waitMs),
  ),
  figure('send_lag_quantile_seconds', 'How late the load generator sent calls.', quantiles(report.sendLagMs)),
]

const quantiles = ({ p50, p90, p95, p99, max }: Latency): Sample[] =>
  Object.entries({ '0.5': p50, '0.9': p90, '0.95': p95, '0.99': p99, '1': max }).map(([quantile, ms]) => ({
    labels: { quantile },
    value: ms === null ? null : ms / 1000,
  }))

const secondsOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso) / 1000)
