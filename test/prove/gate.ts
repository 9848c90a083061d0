// The product's own gate over simulated runs, by its default rules: `compare` without tags, latencies and reports.
import { type Judged, judgeGates } from '../../src/analysis/comparison/gates.ts'
import { pairRuns } from '../../src/analysis/comparison/pair.ts'
import { type QuestionValues, questionValues } from '../../src/analysis/comparison/question.ts'
import { clustersOf, reviewShares, signFlipP } from '../../src/analysis/comparison/shares.ts'
import type { GateRule } from '../../src/domain/comparison.ts'
import type { SimulatedRuns } from './simulate.ts'

export const ALPHA = 0.05
export const MARGIN = 0.02
const OVERLAP = 0.5
const RULES: readonly GateRule[] = ['must-pass', 'grounding', 'verdicts']
/** The level that each of two tests has at least. */
export const ALPHA_EACH = ALPHA / 2

export interface GateOptions {
  readonly seed: number
  readonly margin?: number
}

export interface SimulatedValues {
  readonly grounding: readonly QuestionValues[]
  readonly verdicts: readonly QuestionValues[]
}

export function valuesOf({ baseline, candidate }: SimulatedRuns): SimulatedValues {
  const { questions } = pairRuns(baseline, candidate)
  return {
    grounding: questionValues(questions, ({ grounded }) => grounded),
    verdicts: questionValues(questions, ({ passed }) => passed),
  }
}

const SILENT = { baseline: null, candidate: null, difference: null, p: null }
const USAGE = { attempts: 1, min: 1, max: 1, callsPerTurn: 1, rate429: 0, waitP95Ms: 0, shareOfQuota: null }

/** The rules that fail. No default rule asks for availability, latency and quota. */
export function failedRules(values: SimulatedValues, { seed, margin = MARGIN }: GateOptions): GateRule[] {
  const family = { byTag: {}, detectableDrop: null, matrix: [] }
  const judged: Judged = {
    overlap: { shared: 1, renamed: 0, edited: 0, baseline: 1, candidate: 1, share: 1, isLow: false },
    grounding: { ...reviewShares(values.grounding, seed), ...family },
    verdicts: { ...reviewShares(values.verdicts, seed), ...family },
    availability: reviewShares([], seed),
    latency: { turns: 0, p50: SILENT, p95: SILENT },
    quota: { baseline: USAGE, candidate: USAGE, monthly: null },
    baselineValues: { grounding: 0, verdicts: 0 },
    mustPass: { newlyFailing: [], notAsked: [] },
    newlyFailing: [],
  }
  const rules = { failOn: RULES, alpha: ALPHA, margin, minOverlap: OVERLAP, areNamed: false }
  const [results = []] = judgeGates([judged], rules)
  return results.flatMap(({ rule, passed }) => (passed ? [] : [rule]))
}

/**
 * The same without the bootstrap where it cannot matter, in nine of ten comparisons of like runs: no p is less than that of the
 * sign flips. Only for runs that have most of their questions in common, with answers.
 */
export function failedRulesFast(values: SimulatedValues, options: GateOptions): GateRule[] {
  return flipsOf(values.grounding) > ALPHA && flipsOf(values.verdicts) > ALPHA
    ? []
    : failedRules(values, options)
}

/** p of the sign flips alone. */
export const flipsOf = (values: readonly QuestionValues[]): number => signFlipP(clustersOf(values))
