// The first figures of a run's report, and their change since the baseline.
import type { CandidateComparison, ComparedFigure } from '../domain/comparison.ts'
import type { Figures, Summary } from '../domain/summary.ts'
import { unsupportedFigures } from './article-blocks.ts'
import { changedFactsFigures } from './comparison-document.ts'
import type { Bar, Figure } from './document.ts'
import {
  digits,
  milliseconds,
  NONE,
  percent,
  percentRange,
  points,
  ratioOf,
  signed,
  weightText,
} from '../domain/format.ts'
import { callsFigure, errorsFigure, latencyFigure, shareFigure } from './recorded-blocks.ts'

export interface Baseline {
  readonly summary: Figures
  /** Only compared questions count: not all, where one of the runs is of a part of the set. */
  readonly candidate: Figures
  readonly name: string
  readonly startedAt: string | null
  readonly compared: CandidateComparison
}

export function runFigures(summary: Summary, baseline: Baseline | undefined): Figure[] {
  const { coverage, errors, latencyMs, quota, pacing, state } = summary
  const { compared } = baseline ?? {}
  const interval = coverage.cluster ?? coverage
  const changeOf = changesSince(baseline)
  return [
    shareFigure('Grounded', coverage.rate, coverage.grounded, coverage.answered, {
      note: percentRange(interval.low, interval.high),
      bar: barOf(coverage.rate, interval),
      link: { find: 'is:gap' },
      change: changeOf((run) => run.coverage.rate, 'more', points, compared?.grounding),
    }),
    ...demandFigure(
      coverage.weighted,
      changeOf((run) => run.coverage.weighted?.rate ?? null, 'more', points),
    ),
    {
      ...expectationsFigure(summary),
      change: changeOf((run) => run.expectations.rate, 'more', points, compared?.verdicts),
    },
    errorsFigure(errors, {
      link: { find: 'is:error' },
      change: changeOf((run) => run.errors.rate, 'less', points),
    }),
    latencyFigure('Latency p95', latencyMs, {
      link: { find: 'sort:slow' },
      change: changeOf((run) => run.latencyMs.p95, 'less', milliseconds, compared?.latency.p95),
    }),
    {
      // A part of the set says nothing of what it costs.
      ...callsFigure(quota, [`${ratioOf(pacing.rateLimited, quota.attempts)} got 429`], state === 'complete'),
      change: changeOf(
        (run) => run.quota.max,
        'less',
        (calls) => signed(calls, 0),
      ),
    },
    ...unsupportedFigures(summary),
    ...(compared === undefined ? [] : changedFactsFigures(compared)),
  ]
}

function demandFigure(weighted: Summary['coverage']['weighted'], change: Figure['change']): Figure[] {
  if (weighted === undefined) return []
  const { rate, grounded, answered, low = null, high = null } = weighted
  return [
    {
      label: 'Grounded demand',
      value: percent(rate),
      of: `${weightText(grounded)}/${weightText(answered)}`,
      note: percentRange(low, high),
      bar: barOf(rate, { low, high }),
      link: { find: 'is:gap' },
      change,
    },
  ]
}

function expectationsFigure({ expectations, turns, verdict }: Summary): Figure {
  const { passed, failed, notGraded, rate } = expectations
  const label = 'Expectations met'
  if (passed + failed + notGraded === 0)
    return { label, value: NONE, note: turns.notSent > 0 ? 'none graded' : 'no expectations in this set' }
  return shareFigure(label, rate, passed, passed + failed, {
    bar: barOf(rate),
    note: notGraded === 0 ? undefined : `${digits(notGraded)} not graded`,
    // Red beside "Passed" would say that a gate failed: these failures are known, or a threshold allows them.
    tone: failed === 0 ? undefined : verdict === 'passed' ? 'warn' : 'bad',
    link: { find: 'is:failed' },
  })
}

export const barOf = (
  rate: number | null,
  { low, high }: { readonly low?: number | null; readonly high?: number | null } = {},
): Bar | undefined => (rate === null ? undefined : { rate, low: low ?? undefined, high: high ?? undefined })

const changesSince =
  (baseline: Baseline | undefined) =>
  (
    valueOf: (run: Figures) => number | null,
    better: 'more' | 'less',
    say: (difference: number) => string,
    moved?: ComparedFigure,
  ): Figure['change'] => {
    if (baseline === undefined) return undefined
    const [now, before] = [valueOf(baseline.candidate), valueOf(baseline.summary)]
    if (now === null || before === null) return undefined
    // Of the questions that both runs answered, where it is known: as in the totals of the comparison.
    const { estimate = now - before, low = null, high = null } = moved?.difference ?? {}
    const value = say(estimate)
    // A difference that rounds to 0 is not a change.
    if (value.startsWith('±')) return { value, tone: 'muted' }
    const isNoise = low !== null && high !== null && low <= 0 && high >= 0
    const isBetter = estimate > 0 === (better === 'more')
    return {
      value: `${estimate > 0 ? '↑' : '↓'} ${value}`,
      tone: isNoise ? 'muted' : isBetter ? 'good' : 'bad',
    }
  }
