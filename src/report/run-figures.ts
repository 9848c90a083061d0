// The first figures of a run's report, and their change since the baseline.
import type { CandidateComparison, MeasuredDifference } from '../domain/comparison.ts'
import type { Summary } from '../domain/summary.ts'
import { digits } from '../domain/text.ts'
import type { Bar, Figure } from './document.ts'
import { duration, milliseconds, NONE, percentRange, perSecond, points, ratioOf, signed } from './format.ts'
import { callsFigure, errorsFigure, mixOf, percentilesNote, shareFigure } from './recorded-blocks.ts'

/** The baseline's figures and the changes since. */
export interface Baseline {
  readonly summary: Summary
  readonly name: string
  readonly review: CandidateComparison
}

export function runFigures(summary: Summary, baseline: Baseline | undefined): Figure[] {
  const changes = baseline === undefined ? [] : changesSince(summary, baseline)
  return figuresOf(summary).map((figure, place) => ({ ...figure, change: changes[place] }))
}

function figuresOf({ coverage, expectations, turns, errors, latencyMs, quota, pacing }: Summary): Figure[] {
  const interval = coverage.cluster ?? coverage
  return [
    shareFigure('Grounded', coverage.rate, coverage.grounded, coverage.answered, {
      note: percentRange(interval.low, interval.high),
      bar: barOf(coverage.rate, interval),
      link: { find: 'is:gap' },
    }),
    passedFigure(expectations, turns.notAsked),
    errorsFigure(errors, {
      note: mixOf(errors.byOutcome),
      link: { find: 'is:error' },
    }),
    {
      label: 'Latency p95',
      value: duration(latencyMs.p95),
      note: percentilesNote(latencyMs),
      link: { find: 'sort:slow' },
    },
    callsFigure(quota, `${ratioOf(pacing.rateLimited, quota.attempts)} got 429`, ...limitOf(pacing)),
  ]
}

const limitOf = ({ limit }: Summary['pacing']): string[] =>
  limit !== null && 'ratePerSecond' in limit ? [`limit ${perSecond(limit.ratePerSecond)}`] : []

function passedFigure({ passed, failed, notGraded, rate }: Summary['expectations'], unsent: number): Figure {
  if (passed + failed + notGraded === 0)
    return { label: 'Passed', value: NONE, note: unsent > 0 ? 'none graded' : 'no expectations in this set' }
  return shareFigure('Passed', rate, passed, passed + failed, {
    bar: barOf(rate),
    note: notGraded === 0 ? undefined : `${digits(notGraded)} not graded`,
    tone: failed > 0 ? 'bad' : undefined,
    link: { find: 'is:failed' },
  })
}

export const barOf = (
  rate: number | null,
  { low, high }: { readonly low?: number | null; readonly high?: number | null } = {},
): Bar | undefined => (rate === null ? undefined : { rate, low: low ?? undefined, high: high ?? undefined })

/** In the order of the figures. */
const changesSince = (now: Summary, { summary: before, review }: Baseline): Figure['change'][] => [
  changeOf(now.coverage.rate, before.coverage.rate, 'more', points, review.grounding.difference),
  changeOf(now.expectations.rate, before.expectations.rate, 'more', points, review.verdicts.difference),
  changeOf(now.errors.rate, before.errors.rate, 'less', points),
  changeOf(now.latencyMs.p95, before.latencyMs.p95, 'less', milliseconds, review.latency.p95.difference),
  changeOf(now.quota.max, before.quota.max, 'less', (calls) => signed(calls, 0)),
]

/** `say`: the difference with its sign and unit. Undefined if one of the two is unknown. */
function changeOf(
  now: number | null,
  before: number | null,
  better: 'more' | 'less',
  say: (difference: number) => string,
  measured?: MeasuredDifference | null,
): Figure['change'] {
  if (now === null || before === null) return undefined
  // Of the questions that both runs answered, where it is known: as in the totals of the comparison.
  const difference = measured?.estimate ?? now - before
  const value = say(difference)
  // A difference that rounds to 0 is not a change.
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
