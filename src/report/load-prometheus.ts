// `load.prom`: the figures of a load test for Prometheus, in its text format, for the textfile collector of the node exporter.
import type { LoadReport } from '../domain/load.ts'
import type { Latency } from '../domain/summary.ts'

interface Sample {
  /** Behind the name of the metric: `_sum`, `_count`; empty for the metric itself. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  /** Null: not known, and left out. */
  readonly value: number | null
}

const PREFIX = 'assist_load_'

/**
 * Text exposition format 0.0.4 (Prometheus, "Exposition formats"). Times are summaries in seconds over the whole test;
 * everything else is a gauge, as each test starts anew. No time stamps: the collector refuses them.
 */
export function renderLoadPrometheus(report: LoadReport): string {
  const { run, offered, achieved, dropped, turns, pacing, errors, coverage, quota } = report
  const common = { target: run.target, organization: run.organization }
  const metric = (name: string, type: string, help: string, samples: readonly Sample[]): string[] => {
    const known = samples.filter(({ value }) => value !== null)
    if (known.length === 0) return []
    return [
      `# HELP ${PREFIX}${name} ${escapeHelp(help)}`,
      `# TYPE ${PREFIX}${name} ${type}`,
      ...known.map(
        ({ suffix = '', labels = {}, value }) =>
          `${PREFIX}${name}${suffix}${labelsOf({ ...common, ...labels })} ${numberOf(value ?? 0)}`,
      ),
    ]
  }
  const gauge = (name: string, help: string, value: number | null): string[] =>
    metric(name, 'gauge', help, [{ value }])
  const by = (
    name: string,
    label: string,
    help: string,
    counts: Readonly<Record<string, number>>,
  ): string[] =>
    metric(
      name,
      'gauge',
      help,
      Object.entries(counts).map(([value, count]) => ({ labels: { [label]: value }, value: count })),
    )
  const times = (name: string, help: string, latency: Latency): string[] =>
    metric(`${name}_seconds`, 'summary', help, latency.count === 0 ? [] : quantilesOf(latency))
  const { total: _, contextLost, notAsked, ...outcomes } = turns
  return [
    metric('info', 'gauge', 'The load test these figures are of.', [
      { labels: { run: run.id, version: run.harnessVersion, verdict: report.verdict }, value: 1 },
    ]),
    gauge('passed', 'Whether the test was done and no gate failed: 1 or 0.', report.exitCode === 0 ? 1 : 0),
    gauge('start_time_seconds', 'When the test began, Unix time.', secondsOf(run.startedAt)),
    gauge('end_time_seconds', 'When the test ended, Unix time.', secondsOf(run.endedAt)),
    gauge('offered_threads', 'Threads that were due.', offered.threads),
    gauge('offered_threads_per_second', 'Rate at which threads were due.', offered.rate),
    gauge('started_threads', 'Threads that were started.', achieved.threads),
    gauge('started_threads_per_second', 'Rate at which threads were started.', achieved.rate),
    gauge(
      'dropped_threads',
      'Threads that were due and not sent: too many calls were in flight.',
      dropped.threads,
    ),
    gauge('calls', 'Calls that ended.', achieved.calls),
    gauge('calls_per_second', 'Rate at which calls ended.', achieved.callsPerSecond),
    gauge('rate_limited_calls', 'Calls refused with 429.', pacing.rateLimited),
    by('turns', 'outcome', 'Turns by how they ended.', { ...outcomes, unfinished: notAsked }),
    gauge('context_lost_turns', 'Answers given without the context of their conversation.', contextLost),
    gauge('error_ratio', 'Turns that failed, but for 429s, by those asked.', errors.rate),
    by('answers', 'context_source', 'Answers by their contextSource.', report.contextSource),
    gauge('coverage_ratio', 'Grounded answers by answers with their context.', coverage.rate),
    times('response', 'From the moment a call was due to the last byte of its answer.', report.responseMs),
    times('service', 'From sending a call to the last byte of its answer.', report.serviceMs),
    times('wait', 'What room under --max-in-flight took of a turn.', report.waitMs),
    times('send_lag', 'How late calls left: the generator itself.', report.sendLagMs),
    times('refused', 'From sending a call to the last byte of its 429.', report.refusedMs),
    times('failure', 'From sending a call to its failure.', report.failureMs),
    gauge('quota_calls_min', 'Calls that count toward the quota for certain.', quota.min),
    gauge('quota_calls_max', 'Calls that count toward the quota at most.', quota.max),
  ]
    .flat()
    .map((line) => `${line}\n`)
    .join('')
}

function quantilesOf({ p50, p90, p95, p99, mean, count }: Latency): Sample[] {
  const quantiles: readonly [string, number | null][] = [
    ['0.5', p50],
    ['0.9', p90],
    ['0.95', p95],
    ['0.99', p99],
  ]
  return [
    ...quantiles.map(([quantile, ms]) => ({ labels: { quantile }, value: inSeconds(ms) })),
    { suffix: '_sum', value: inSeconds(mean === null ? null : mean * count) },
    { suffix: '_count', value: count },
  ]
}

const inSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

const secondsOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso) / 1000)

/** As Go's ParseFloat reads it; to a millionth, a microsecond where it is a time. */
const numberOf = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toFixed(6))) : 'NaN'

const labelsOf = (labels: Readonly<Record<string, string>>): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',')}}`

/** Backslash, quote and line feed; a lone surrogate is no UTF-8. */
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', String.raw`\"`)

const escapeHelp = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\n', String.raw`\n`)
