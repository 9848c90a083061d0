// The first figures of a run's report, and their change since the baseline.
import type { CandidateComparison, MeasuredDifference } from '../domain/comparison.ts'
import type { Summary } from '../domain/summary.ts'
import { digits } from '../domain/text.ts'
import type { Bar, Figure } from './document.ts'
import { duration, NONE, percent, percentRange, points, range, ratioOf, signed } from './format.ts'
import { errorsFigure, percentilesNote } from './recorded-blocks.ts'

/** The baseline's figures and the comparison with them. */
interface Since {
  readonly summary: Summary
  readonly review: CandidateComparison
}

export function runFigures(summary: Summary, baseline: Since | undefined): Figure[] {
  const { summary: before, review } = baseline ?? {}
  const { coverage, errors, latencyMs, quota, pacing } = summary
  const interval = coverage.cluster ?? coverage
  return [
    {
      label: 'Grounded',
      value: percent(coverage.rate),
      of: ratioOf(coverage.grounded, coverage.answered),
      note: percentRange(interval.low, interval.high),
      bar: barOf(coverage.rate, interval),
      change: changeOf(coverage.rate, before?.coverage.rate, {
        say: points,
        better: 'more',
        measured: review?.grounding.difference,
      }),
      link: { find: 'is:gap' },
    },
    passedFigure(summary, baseline),
    {
      ...errorsFigure(errors),
      note: errors.errors === 0 ? undefined : mixOf(errors.byOutcome),
      change: changeOf(errors.rate, before?.errors.rate, { say: points, better: 'less' }),
      link: { find: 'is:error' },
    },
    {
      label: 'Latency p95',
      value: duration(latencyMs.p95),
      note: percentilesNote(latencyMs),
      change: changeOf(latencyMs.p95, before?.latencyMs.p95, {
        say: (ms) => `${signed(ms, 0)} ms`,
        better: 'less',
        measured: review?.latency.p95.difference,
      }),
      link: { find: 'sort:slow' },
    },
    {
      label: 'Calls counted',
      value: range(quota.min, quota.max),
      note: [
        `${ratioOf(pacing.rateLimited, quota.attempts)} got 429`,
        quota.shareOfQuota === null ? '' : ` · ${percent(quota.shareOfQuota)} of the quota`,
      ],
      change: changeOf(quota.max, before?.quota.max, { say: (calls) => signed(calls, 0), better: 'less' }),
      link: { section: 'limits' },
    },
  ]
}

function passedFigure({ expectations }: Summary, baseline: Since | undefined): Figure {
  const { passed, failed, notGraded, rate } = expectations
  if (passed + failed + notGraded === 0)
    return { label: 'Passed', value: NONE, note: 'no expectations in this set' }
  return {
    label: 'Passed',
    value: percent(rate),
    of: ratioOf(passed, passed + failed),
    bar: barOf(rate),
    note: notGraded === 0 ? undefined : `${digits(notGraded)} not graded`,
    tone: failed > 0 ? 'bad' : undefined,
    change: changeOf(rate, baseline?.summary.expectations.rate, {
      say: points,
      better: 'more',
      measured: baseline?.review.verdicts.difference,
    }),
    link: { find: 'is:failed' },
  }
}

const mixOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name.replaceAll('_', ' ')} ${digits(count)}`)
    .join(', ')

export const barOf = (
  rate: number | null,
  { low, high }: { readonly low?: number | null; readonly high?: number | null } = {},
): Bar | undefined => (rate === null ? undefined : { rate, low: low ?? undefined, high: high ?? undefined })

interface Changing {
  /** Formats the difference with its sign and unit. */
  readonly say: (difference: number) => string
  readonly better: 'more' | 'less'
  readonly measured?: MeasuredDifference | null | undefined
}

/** Undefined if one of the two is unknown. */
function changeOf(
  now: number | null,
  before: number | null | undefined,
  { say, better, measured }: Changing,
): Figure['change'] {
  if (now === null || before === null || before === undefined) return undefined
  const difference = now - before
  const value = say(difference)
  // A difference that rounds to 0 is no change.
  if (value.startsWith('±')) return { value, tone: 'muted' }
  const isBetter = difference > 0 === (better === 'more')
  return {
    value: `${difference > 0 ? '↑' : '↓'} ${value}`,
    tone: isNoise(measured) ? 'muted' : isBetter ? 'good' : 'bad',
  }
}

/** Whether its interval contains 0. */
const isNoise = (difference: MeasuredDifference | null | undefined): boolean => {
  const { low = null, high = null } = difference ?? {}
  return low !== null && high !== null && low <= 0 && high >= 0
}
