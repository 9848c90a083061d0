// The account of a load test as lines of label and words, and its times as rows: what screen, Markdown and page show.
import type { LoadReport } from '../domain/load/load-report.ts'
import type { Latency } from '../domain/summary.ts'
import {
  countTurns,
  describeCoverage,
  describeErrors,
  describeUsage,
  mix,
  type AccountLine,
} from './account.ts'
import { limitLine } from './limit-words.ts'
import { describeBand, describeGenerator } from './load-words.ts'
import { digits, plural } from '../domain/digits.ts'
import { duration, percent, perSecond } from './numbers.ts'

const MOST_CODES = 5

export function loadLines(report: LoadReport): AccountLine[] {
  const { offered, achieved, dropped, turns, warmUp, pacing, load } = report
  const rate = (value: number | null): string => `${perSecond(value)} a second`
  return [
    {
      label: 'Threads',
      words:
        `${digits(offered.threads)} due (${rate(offered.rate)}), ${digits(achieved.threads)} started (${rate(achieved.rate)}), ` +
        (dropped.threads === 0
          ? 'none dropped'
          : `${digits(dropped.threads)} dropped (${percent(dropped.rate)})`),
    },
    {
      label: 'Calls',
      words:
        `${digits(achieved.calls)} ended (${rate(achieved.callsPerSecond)}), ` +
        (pacing.rateLimited === 0
          ? 'none refused with 429'
          : `${digits(pacing.rateLimited)} refused with 429 (${percent(pacing.rate429)}${describeCodes(report)})`),
    },
    ...limitOf(report),
    { label: 'Turns', words: describeTurns(turns) },
    { label: 'Failures', words: describeErrors(report.errors) },
    { label: 'Coverage', words: describeCoverage(report.coverage) },
    { label: 'Sources', words: mix(report.contextSource) || 'no answers' },
    { label: 'Generator', words: describeGenerator(report) },
    { label: 'Quota', words: describeUsage(report) },
    ...(load.warmUpMs === 0
      ? []
      : [
          {
            label: 'Warm-up',
            words: `${digits(warmUp.calls)} calls in the first ${duration(load.warmUpMs)}, in no figure above but the quota; half answered within ${duration(warmUp.responseMs.p50)}`,
          },
        ]),
  ]
}

/** `: RATE_LIMITED 94`; the code is the endpoint's own word for why. */
function describeCodes({ refusals }: LoadReport): string {
  const codes = Object.entries(refusals?.byCode ?? {}).map(([code, count]) => `${code} ${digits(count)}`)
  const [shown, left] = [codes.slice(0, MOST_CODES), codes.length - MOST_CODES]
  if (codes.length === 0) return ''
  return `: ${shown.join(', ')}${left > 0 ? ` and ${plural(left, 'more code')}` : ''}`
}

const describeTurns = ({ total, answered, rate_limited, skipped, notAsked }: LoadReport['turns']): string =>
  countTurns(total, answered, [
    [rate_limited, 'ended by a 429'],
    [skipped, 'skipped after an error in their thread'],
    [notAsked, 'without an outcome'],
  ])

export const LATENCY_HEADER = ['', 'p50', 'p90', 'p95', 'p99', 'longest', 'count'] as const

/** Rows of percentiles; what nothing was measured of is left out. `meaning`: what the time is. */
export function latencyRows(
  report: LoadReport,
): readonly { readonly name: string; readonly cells: string[]; readonly meaning: string }[] {
  const row = (name: string, meaning: string, latency: Latency) => {
    const { p50, p90, p95, p99, max, count } = latency
    // Nobody waited: that needs no row of zeros.
    const isShown = count > 0 && (name !== 'waiting' || max !== 0)
    return { name, meaning, cells: [...[p50, p90, p95, p99, max].map(duration), digits(count)], isShown }
  }
  return [
    row('response', 'from the moment a call was due to its last byte', report.responseMs),
    row('service', 'sent to last byte, of answers', report.serviceMs),
    row('waiting', waitingFor(report), report.waitMs),
    row('send lag', 'how late a call left: this machine', report.sendLagMs),
    row('refusals', 'sent to last byte, of 429s', report.refusedMs),
    row('failures', 'sent to the failure', report.failureMs),
  ]
    .filter(({ isShown }) => isShown)
    .map(({ name, cells, meaning }) => ({ name, cells, meaning }))
}

/** Only what is asked again waits for anything but room. */
const waitingFor = ({ load, pacing }: LoadReport): string =>
  load.retry429 && pacing.rateLimited > 0
    ? 'after a 429, and for room under --max-in-flight'
    : 'for room under --max-in-flight'

/** By the offered rate; the header first. What was due after the last arrival comes last. */
export function bandRows({ byOfferedRate, afterArrivals }: LoadReport): string[][] {
  return [
    [
      'threads a second',
      'due',
      'dropped',
      'answered',
      '429s',
      'failed',
      'p50',
      'p95',
      'grounded',
      '95 % interval',
    ],
    ...[
      ...byOfferedRate.map((band) => ({ name: describeBand(band), band })),
      // With one rate there is nothing to hold against each other.
      ...(afterArrivals === null || byOfferedRate.length < 2
        ? []
        : [{ name: 'after the last arrival', band: afterArrivals }]),
    ].map(({ name, band }) => {
      const { coverage, responseMs } = band
      const { low, high } = coverage.cluster ?? coverage
      return [
        name,
        ...[band.threads, band.dropped, band.answered, band.refused, band.errors].map(digits),
        duration(responseMs.p50),
        duration(responseMs.p95),
        percent(coverage.rate),
        coverage.rate === null ? '' : `${percent(low)} to ${percent(high)}`,
      ]
    }),
  ]
}

function limitOf({ limit }: LoadReport): AccountLine[] {
  const words = limitLine({ finding: limit, limit: null })
  return words === undefined ? [] : [{ label: 'Limit', words }]
}
