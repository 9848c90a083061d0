// The gate tried on an organization's own nights: it can only fail without a reason where nobody changed
// anything between two of them.
import { WRITTEN } from '../../domain/format.ts'
import type { ChangeKind } from '../../domain/changes.ts'
import type { Comparison } from '../../domain/comparison.ts'
import type { FoundRun, GateTrial, LooseThreshold } from '../../domain/history.ts'
import { wilsonOfShare } from '../../stats/intervals.ts'
import { readThresholds } from '../judging/threshold.ts'

/** Fewer runs say nothing of the gate. */
export const MIN_RUNS = 8
const MAX_FLIPS = 10
const FLIPS: readonly ChangeKind[] = ['groundingLost', 'groundingGained', 'passToFail', 'failToPass']

export interface TriedNight {
  /** The folder of the later of two runs. */
  readonly folder: string
  readonly compared: Comparison
  readonly areArticlesKnown: boolean
}

/**
 * Two neighbouring pairs share a night, so they are not independent; a bad night makes one drop and one rise,
 * and only a drop fails. Wilson's interval is then a little too wide: `test/prove` counts how often it holds.
 */
export function gateTrial(
  nights: readonly TriedNight[],
  edited: number,
  runs: readonly FoundRun[],
): GateTrial {
  const failed = nights.filter(({ compared }) => compared.verdict === 'failed')
  const share = failed.length / nights.length
  const drops = nights
    .map(({ compared: { candidates } }) => {
      const [{ grounding, verdicts }] = candidates
      return Math.min(grounding.detectableDrop ?? Infinity, verdicts.detectableDrop ?? Infinity)
    })
    .sort((a, b) => a - b)
  const drop = drops[Math.floor(drops.length / 2)] ?? Infinity
  return {
    nights: nights.length,
    failed: failed.map(({ folder, compared }) => ({ folder, reason: compared.reason })),
    rate: nights.length === 0 ? null : { estimate: share, ...wilsonOfShare(share, nights.length) },
    edited,
    unrecorded: nights.filter(({ areArticlesKnown }) => !areArticlesKnown).length,
    detectableDrop: Number.isFinite(drop) ? drop : null,
    loose: looseThresholds(runs, runs.at(-1)?.thresholds.map(({ expression }) => expression) ?? []),
    flips: flipsOf(nights),
  }
}

function flipsOf(nights: readonly TriedNight[]): GateTrial['flips'] {
  const flips = new Map<string, { id: string; message: string; times: number }>()
  for (const { compared } of nights)
    for (const { id, message, kinds } of compared.candidates[0].changes) {
      if (!kinds.some((kind) => FLIPS.includes(kind))) continue
      flips.set(id, { id, message, times: (flips.get(id)?.times ?? 0) + 1 })
    }
  return [...flips.values()].sort((a, b) => b.times - a.times).slice(0, MAX_FLIPS)
}

/** A limit is loose if it lies further from all values than they lie from each other, and from a point. */
export function looseThresholds(
  runs: readonly Pick<FoundRun, 'thresholds'>[],
  expressions: readonly string[],
): LooseThreshold[] {
  return readThresholds(expressions).flatMap(({ expression, metric, relation, limit }) => {
    const isFloor = relation === '>=' || relation === '>'
    if (!isFloor && relation !== '<=' && relation !== '<') return []
    const values = runs.flatMap(({ thresholds }) =>
      thresholds.flatMap((gate) => (gate.expression === expression && gate.value !== null ? gate.value : [])),
    )
    if (values.length < MIN_RUNS) return []
    const [lowest, highest] = [Math.min(...values), Math.max(...values)]
    const nearest = isFloor ? lowest : highest
    const step = metric.unit === 'share' ? 0.01 : 10 ** Math.floor(Math.log10(Math.max(1, highest)) - 1)
    const slack = isFloor ? nearest - limit : limit - nearest
    if (slack <= Math.max(2 * step, highest - lowest)) return []
    const rounded = isFloor ? Math.floor(nearest / step) : Math.ceil(nearest / step)
    const name = expression.slice(0, expression.search(/[<>=!]=?/)).trim()
    const tight = `${name}${relation}${WRITTEN[metric.unit](rounded * step)}`
    return [{ expression, nearest, runs: values.length, tight }]
  })
}
