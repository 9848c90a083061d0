// Pairs of simulated runs, judged by the product's own gate with its default rules.
import { type Judged, judgeGates } from '../../src/analysis/comparison/gates.ts'
import { pairRuns } from '../../src/analysis/comparison/pair.ts'
import { type QuestionValues, questionValues } from '../../src/analysis/comparison/question.ts'
import { clustersOf, detectableDrop, reviewShares, signFlipP } from '../../src/analysis/comparison/shares.ts'
import type { GateRule } from '../../src/domain/comparison.ts'
import { simulateRuns, type Simulation } from './simulate.ts'

const [ALPHA, MARGIN] = [0.05, 0.02]
const RULES = { failOn: ['must-pass', 'grounding', 'verdicts'], alpha: ALPHA, margin: MARGIN } as const
const SILENT = { baseline: null, candidate: null, difference: null, p: null }
const USAGE = { min: 1, max: 1, callsPerTurn: 1, shareOfQuota: null }

export type Values = Readonly<Record<'grounding' | 'verdicts', readonly QuestionValues[]>>

export function valuesOf(simulation: Simulation): Values {
  const { baseline, candidate } = simulateRuns(simulation)
  const { questions } = pairRuns(baseline, candidate)
  return {
    grounding: questionValues(questions, ({ grounded }) => grounded),
    verdicts: questionValues(questions, ({ passed }) => passed),
  }
}

/** The default rules that fail, by the product's own gate. None of them asks for availability, latency and quota. */
export function failedRules(values: Values, seed: number): GateRule[] {
  const family = { detectableDrop: null }
  const judged: Judged = {
    overlap: { shared: 1, baseline: 1, candidate: 1, share: 1, isLow: false },
    grounding: { ...reviewShares(values.grounding, seed), ...family },
    verdicts: { ...reviewShares(values.verdicts, seed), ...family },
    availability: reviewShares([], seed),
    latency: { turns: 0, p50: SILENT, p95: SILENT },
    quota: { baseline: USAGE, candidate: USAGE },
    baselineValues: { grounding: 0, verdicts: 0 },
    mustPass: [],
    newlyFailing: [],
  }
  const [results = []] = judgeGates([judged], { ...RULES, minOverlap: 0.5, areNamed: false })
  return results.flatMap(({ rule, passed }) => (passed ? [] : [rule]))
}

/** Without the bootstrap where it cannot matter, in nine of ten comparisons of like runs: no p is less than the sign flips'. */
export function failedRulesFast(values: Values, seed: number): GateRule[] {
  const flips = (of: keyof Values): number => signFlipP(clustersOf(values[of]))
  return flips('grounding') > ALPHA && flips('verdicts') > ALPHA ? [] : failedRules(values, seed)
}

/** The drop that the gate says it sees 4 times in 5. */
export const statedDrop = (values: Values, of: keyof Values): number =>
  detectableDrop(values[of], ALPHA / 2, MARGIN) ?? NaN
