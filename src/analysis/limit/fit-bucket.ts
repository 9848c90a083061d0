// Fits a token bucket (GCRA): how fast it fills, and how much it holds.
import type { Calls } from './calls.ts'
import type { Closure } from './closures.ts'
import { PARAMETER_COST, type Fit } from './fit.ts'
import { bucketLevels, type Levels } from './levels.ts'
import { ladder, searchBest } from './search.ts'
import { bestCut } from './threshold.ts'

const STEP = 1.05

export function fitBucket(calls: Calls, closures: readonly Closure[], levels: Levels): Fit | undefined {
  const spanMs = (calls.at[calls.count - 1] ?? 0) - (calls.at[0] ?? 0)
  const passed = calls.passedAt.length
  if (passed < 2 || spanMs <= 0) return undefined
  const score = (perMs: number) => {
    bucketLevels(calls, perMs, levels)
    const cut = bestCut(calls, levels)
    // What fills up while the network moves a call would explain any record.
    const isAny = calls.reading === 'call-by-call' && cut.threshold < perMs * calls.slackMs
    return isAny ? { ...cut, cost: Infinity } : cut
  }
  const mean = passed / spanMs
  const candidates = [
    ...ratesBetween(calls, closures),
    ...ladder(mean / 20, Math.max(mean * 3, fastest(calls)), STEP),
  ]
  const found = searchBest(candidates, STEP, score)
  if (found === undefined || found.at.cost === Infinity) return undefined
  const perMs = found.value
  return {
    kind: 'token-bucket',
    variant: null,
    cost: found.at.cost + 2 * PARAMETER_COST,
    cut: found.at,
    episodes: closures.length,
    windowMs: undefined,
    perSecond: { value: 1000 * perMs, low: 1000 * found.low, high: 1000 * found.high },
    fill: (some, into) => bucketLevels(some, perMs, into),
  }
}

/** The most calls a millisecond that were let through over a few calls. */
function fastest({ passedAt }: Calls): number {
  const apart = Math.max(1, Math.min(5, passedAt.length - 1))
  let least = Infinity
  for (let i = apart; i < passedAt.length; i += 1)
    least = Math.min(least, (passedAt[i] ?? 0) - (passedAt[i - apart] ?? 0))
  return (1.2 * apart) / Math.max(1, least)
}

/** Spans of so many closures, and of the whole record. */
const SPANS = [1, 2, 4, 8, 16, 32]
/** Of the rates over spans: after a rest a bucket was full for a while, and the span lets too little through. */
const QUANTILES = [0.25, 0.5, 0.75, 0.9, 1]
/** A bucket that was nearly empty at one end only lets a little more or less through. */
const NEARBY = [0.99, 0.997, 1, 1.003, 1.01]

/**
 * What was let through between refusals, at which the bucket was empty: over a long record the rate must be met within a
 * bucket's content, closer than any ladder would. Calls a millisecond.
 */
function ratesBetween({ passedBefore }: Calls, closures: readonly Closure[]): number[] {
  const spans = [...SPANS, closures.length - 1].filter((span) => span > 0 && span < closures.length)
  const rates = new Set<number>()
  for (const span of spans) {
    const found = closures.slice(span).flatMap((to, place) => {
      const from = closures[place]
      const elapsedMs = to.lastRefusedAt - (from?.lastRefusedAt ?? 0)
      const passed = (passedBefore[to.last] ?? 0) - (passedBefore[from?.last ?? 0] ?? 0)
      return elapsedMs > 0 && passed > 0 ? [passed / elapsedMs] : []
    })
    found.sort((a, b) => a - b)
    for (const quantile of QUANTILES) {
      const rate = found[Math.round(quantile * (found.length - 1))]
      if (rate !== undefined) for (const by of NEARBY) rates.add(rate * by)
    }
  }
  return [...rates]
}
