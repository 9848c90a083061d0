// What the runs took of the quota and of time, and what the difference comes to in a month.
import type { AllowanceReview, QuotaReview, UsageFigures } from '../../domain/comparison/comparison.ts'
import {
  callsAMonth,
  costOfAll,
  PERIOD_DAYS,
  repeatedCalls,
  type CallRange,
  type Quota,
  type Usage,
} from '../../domain/quota.ts'
import type { Figures, Summary } from '../../domain/summary.ts'
import { ratio } from '../turns.ts'

/**
 * From the runs' summaries. `monthly` takes it that either set is asked once a night, whole and at one go, and costs
 * each night what it cost in its run, with confirmations and what was asked again, but a call a turn at least: what was
 * skipped or failed is no saving. As each run's usage is known between
 * two bounds, so is the difference, from candidate's least − baseline's most to candidate's most − baseline's least,
 * rounded to a whole call where both are known exactly and outwards to whole calls elsewhere; null where a run has not come to its end, since what half a set costs is no cost of
 * a night. A tag that one run does not have is left out: it took nothing there because
 * there was nothing to ask. `allowance`: what was named for the comparison; else what the candidate's run recorded counts.
 */
export function reviewQuota(
  baseline: Summary,
  candidate: Summary,
  allowance: Quota | null = candidate.run.quota,
): QuotaReview {
  const monthly =
    isWhole(baseline) && isWhole(candidate) ? monthlyOf(nightly(baseline), nightly(candidate)) : null
  const others = new Map(Object.entries(candidate.tags))
  const byTag = Object.entries(baseline.tags).flatMap(([tag, figures]) => {
    const other = others.get(tag)
    return other === undefined
      ? []
      : [[tag, { baseline: byTagOf(figures), candidate: byTagOf(other) }] as const]
  })
  return {
    baseline: figuresOf(baseline),
    candidate: figuresOf(candidate),
    monthly,
    allowance: allowance === null ? null : allowanceOf(allowance, baseline.quota, candidate.quota, monthly),
    byTag: Object.fromEntries(byTag),
  }
}

const isWhole = ({ state, turns }: Summary): boolean => state === 'complete' && turns.notAsked === 0

const nightly = ({ quota, turns }: Summary): CallRange => costOfAll(quota, turns.total)

function monthlyOf(baseline: CallRange, candidate: CallRange): CallRange {
  const isExact = baseline.min === baseline.max && candidate.min === candidate.max
  const more = isExact
    ? { min: candidate.min - baseline.min, max: candidate.min - baseline.min }
    : { min: candidate.min - baseline.max, max: candidate.max - baseline.min }
  return repeatedCalls(more, PERIOD_DAYS.month)
}

function allowanceOf(
  allowance: Quota,
  baseline: Usage,
  candidate: Usage,
  monthly: CallRange | null,
): AllowanceReview {
  const month = callsAMonth(allowance)
  return {
    ...allowance,
    shareOfQuota: { baseline: baseline.max / allowance.calls, candidate: candidate.max / allowance.calls },
    monthlyShare: monthly === null ? null : { min: monthly.min / month, max: monthly.max / month },
  }
}

function figuresOf(summary: Summary): UsageFigures {
  return { ...byTagOf(summary), rate429: summary.pacing.rate429, runMs: runMsOf(summary) }
}

function byTagOf({ quota: { attempts, min, max }, errors, waitMs }: Figures): UsageFigures {
  return {
    attempts,
    min,
    max,
    turns: errors.asked,
    callsPerTurn: ratio(attempts, errors.asked),
    rate429: null,
    // The mean is the sum ÷ count: this undoes it, but for a hair of floating point.
    waitMs: waitMs.mean === null ? null : Math.round(waitMs.mean * waitMs.count),
    runMs: null,
  }
}

/** Null for a run that has not come to its end, and for one of several sittings: nobody asked anything between them. */
function runMsOf(summary: Summary): number | null {
  const { startedAt, endedAt, sittings } = summary.run
  if (!isWhole(summary) || sittings > 1 || endedAt === null) return null
  const took = Date.parse(endedAt) - Date.parse(startedAt)
  return Number.isFinite(took) ? took : null
}
