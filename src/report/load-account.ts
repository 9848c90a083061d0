// The account of a load test as lines of label and words, and its times as rows: what screen, Markdown and page show.
import type { LoadReport } from '../domain/load.ts'
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
import { digits, plural } from '../domain/text.ts'
import { duration, percent, perSecond } from './numbers.ts'

const MOST_CODES = 5

export function loadLines(report: LoadReport): AccountLine[] {
  const { offered, achieved, dropped, turns, pacing } = report
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
    { label: 'Quota', words: describeUsage(report) },
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
    row('waiting', 'for room under --max-in-flight', report.waitMs),
    row('send lag', 'how late a call left: this machine', report.sendLagMs),
    row('refusals', 'sent to last byte, of 429s', report.refusedMs),
    row('failures', 'sent to the failure', report.failureMs),
  ]
    .filter(({ isShown }) => isShown)
    .map(({ name, cells, meaning }) => ({ name, cells, meaning }))
}

function limitOf({ limit }: LoadReport): AccountLine[] {
  const words = limitLine({ finding: limit, limit: null })
  return words === undefined ? [] : [{ label: 'Limit', words }]
}
