// `load.prom`: the figures of a load test in the text format of Prometheus, for the textfile collector of the
// node exporter.
import type { LoadReport } from '../domain/load.ts'
import type { Latency } from '../domain/summary.ts'

interface Sample {
  /** Null leaves the sample out. */
  readonly value: number | null
  readonly labels?: Readonly<Record<string, string>>
  /** Follows the metric's name: `_sum`, `_count`. */
  readonly suffix?: string
}
type Metric = readonly [name: string, help: string, of: number | null | readonly Sample[]]

const PREFIX = 'assist_load_'

/**
 * Text exposition format 0.0.4 (Prometheus, "Exposition formats"). Times are summaries in seconds over the
 * whole test. All other metrics are gauges, since each test starts at zero. The collector rejects time
 * stamps, so there are none.
 */
export function renderLoadPrometheus(report: LoadReport): string {
  const { target, organization } = report.run
  return metricsOf(report)
    .flatMap(([name, help, of]) => {
      const samples: readonly Sample[] = typeof of === 'object' && of !== null ? of : [{ value: of }]
      const known = samples.filter(({ value }) => value !== null)
      const type = samples.some(({ suffix }) => suffix === '_count') ? 'summary' : 'gauge'
      const lines = known.map(
        ({ suffix = '', labels, value }) =>
          `${PREFIX}${name}${suffix}${labelsOf({ target, organization, ...labels })} ${Number((value ?? 0).toFixed(6))}`,
      )
      const head = [`# HELP ${PREFIX}${name} ${help}`, `# TYPE ${PREFIX}${name} ${type}`]
      return lines.length === 0 ? [] : [...head, ...lines]
    })
    .map((line) => `${line}\n`)
    .join('')
}

function metricsOf(report: LoadReport): readonly Metric[] {
  const { run, offered, achieved, dropped, turns, pacing, errors, coverage, quota } = report
  const { total: _, contextLost, notSent, ...outcomes } = turns
  const info = { run: run.id, version: run.harnessVersion, verdict: report.verdict }
  return [
    ['info', 'The load test that these figures describe.', [{ labels: info, value: 1 }]],
    ['passed', '1 if the test is done and no gate failed, else 0.', report.exitCode === 0 ? 1 : 0],
    ['start_time_seconds', 'When the test began, Unix time.', secondsOf(run.startedAt)],
    ['end_time_seconds', 'When the test ended, Unix time.', secondsOf(run.endedAt)],
    ['offered_threads', 'Conversations that were due.', offered.threads],
    ['offered_threads_per_second', 'Rate at which conversations were due.', offered.rate],
    ['started_threads', 'Conversations that were started.', achieved.threads],
    ['started_threads_per_second', 'Rate at which conversations were started.', achieved.rate],
    ['dropped_threads', 'Conversations that were due, but not sent (--max-in-flight).', dropped.threads],
    ['calls', 'Calls that ended.', achieved.calls],
    ['calls_per_second', 'Rate at which calls ended.', achieved.callsPerSecond],
    ['rate_limited_calls', 'Calls refused with 429.', pacing.rateLimited],
    ['turns', 'Questions by outcome.', by('outcome', { ...outcomes, unfinished: notSent })],
    ['context_lost_turns', 'Answers without the context of their conversation.', contextLost],
    ['error_ratio', 'Share of sent questions that failed, 429s aside.', errors.rate],
    ['answers', 'Answers by their contextSource.', by('context_source', report.contextSource)],
    ['coverage_ratio', 'Share of answers with their context that are grounded.', coverage.rate],
    ['response_seconds', 'From the due time of a call to its last byte.', summary(report.responseMs)],
    ['service_seconds', 'From sending a call to its last byte.', summary(report.serviceMs)],
    ['wait_seconds', 'Time that a question waited for --max-in-flight.', summary(report.waitMs)],
    ['send_lag_seconds', 'How late the load generator sent calls.', summary(report.sendLagMs)],
    ['quota_calls_min', 'Calls that certainly count toward the quota.', quota.min],
    ['quota_calls_max', 'Calls that count toward the quota, at most.', quota.max],
  ]
}

const by = (label: string, counts: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(counts).map(([value, count]) => ({ labels: { [label]: value }, value: count }))

function summary({ p50, p90, p95, p99, mean, count }: Latency): Sample[] {
  if (count === 0) return []
  const seconds = (ms: number | null): number | null => ms && ms / 1000
  return [
    ...Object.entries({ '0.5': p50, '0.9': p90, '0.95': p95, '0.99': p99 }).map(([quantile, ms]) => ({
      labels: { quantile },
      value: seconds(ms),
    })),
    { suffix: '_sum', value: seconds(mean && mean * count) },
    { suffix: '_count', value: count },
  ]
}

const secondsOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso) / 1000)

const labelsOf = (labels: Readonly<Record<string, string>>): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',')}}`

/** Escapes backslash, quote and line feed, and replaces lone surrogates, which UTF-8 cannot hold. */
const escapeLabel = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('"', String.raw`\"`)
