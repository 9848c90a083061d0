// The account of a load test as lines of label and words, and its times as rows: what screen, Markdown and page show.
import type { LoadModel, LoadReport } from '../domain/load.ts'
import type { Latency } from '../domain/summary.ts'
import { digits, plural } from '../domain/text.ts'
import {
  countTurns,
  describeCoverage,
  describeErrors,
  describeUsage,
  mix,
  type AccountLine,
} from './account.ts'
import { limitLine } from './limit-words.ts'
import { duration, percent, perSecond } from './numbers.ts'

export const LOAD_VERDICTS: Readonly<Record<LoadReport['verdict'], string>> = {
  done: 'Done',
  passed: 'Passed',
  failed: 'Failed',
  incomplete: 'Incomplete',
}

/** `Offered 20 threads a second; p95 response time 1.5 s; dropped 18 of 1,830 threads.` What did not happen is left out. */
export function headlineSentence({
  load,
  responseMs,
  dropped,
  offered,
  pacing,
  achieved,
  errors,
}: LoadReport): string {
  const share = (part: number, whole: number): string => `${digits(part)} of ${digits(whole)}`
  const parts = [
    `Offered ${describeModel(load.model)}`,
    responseMs.p95 !== null && `p95 response time ${duration(responseMs.p95)}`,
    dropped.threads > 0 && `dropped ${share(dropped.threads, offered.threads)} threads`,
    pacing.rateLimited > 0 && `429 for ${share(pacing.rateLimited, achieved.calls)} calls`,
    errors.errors > 0 && `failed ${share(errors.errors, errors.asked)} turns`,
  ]
  return `${parts.filter((part) => part !== false).join('; ')}.`
}

/** `20 threads a second`, `1 to 20 threads a second`, `10 users, each in a loop`. */
function describeModel(model: LoadModel): string {
  if (model.kind === 'closed') return `${plural(model.users, 'user')}, each in a loop`
  const rates = model.stages.flatMap(({ from, to }) => [from, to])
  const [low, high] = [Math.min(...rates), Math.max(...rates)]
  return `${low === high ? '' : `${perSecond(low)} to `}${perSecond(high)} threads a second`
}

export function loadLines(report: LoadReport): AccountLine[] {
  const { offered, achieved, dropped, turns, pacing, refusals } = report
  const rate = (value: number | null): string => `${perSecond(value)} a second`
  const codes = mix(refusals.byCode)
  const limit = limitLine({ finding: report.limit, limit: null })
  return [
    {
      label: 'Threads',
      words:
        `${digits(offered.threads)} due (${rate(offered.rate)}), ${digits(achieved.threads)} started (${rate(achieved.rate)}), ` +
        `${digits(dropped.threads)} dropped (${percent(dropped.rate)})`,
    },
    {
      label: 'Calls',
      words: `${digits(achieved.calls)} ended (${rate(achieved.callsPerSecond)}), ${digits(pacing.rateLimited)} got 429 (${percent(pacing.rate429)})`,
    },
    ...(codes === '' ? [] : [{ label: '429 codes', words: codes }]),
    ...(limit === undefined ? [] : [{ label: 'Limit', words: limit }]),
    {
      label: 'Turns',
      words: countTurns(turns.total, turns.answered, [
        [turns.rate_limited, 'ended by a 429'],
        [turns.skipped, 'skipped after an error in their thread'],
        [turns.notAsked, 'without an outcome'],
      ]),
    },
    { label: 'Failures', words: describeErrors(report.errors) },
    { label: 'Coverage', words: describeCoverage(report.coverage) },
    { label: 'Sources', words: mix(report.contextSource) || 'no answers' },
    { label: 'Quota', words: describeUsage(report) },
  ]
}

export const LATENCY_HEADER = ['', 'p50', 'p90', 'p95', 'p99', 'longest', 'count', 'what it is'] as const

/** Rows under the header; what nothing was measured of is left out. */
export function latencyRows({ responseMs, serviceMs, waitMs, sendLagMs }: LoadReport): string[][] {
  const rows: readonly [name: string, meaning: string, latency: Latency][] = [
    ['response', 'from the moment a call was due to its last byte', responseMs],
    ['service', 'sent to last byte, of answers', serviceMs],
    ['waiting', 'for room under --max-in-flight', waitMs],
    ['send lag', 'how late a call left: this machine', sendLagMs],
  ]
  return rows
    .filter(([, , { count }]) => count > 0)
    .map(([name, meaning, { p50, p90, p95, p99, max, count }]) => [
      name,
      ...[p50, p90, p95, p99, max].map(duration),
      digits(count),
      meaning,
    ])
}
