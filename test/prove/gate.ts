// The product's own gate over simulated runs, by its default rules: `compare` without tags, latencies and reports.
import { shareLevel } from '../../src/analysis/comparison/gate-tests.ts'
import { gateTests, judgeRules } from '../../src/analysis/comparison/judge-comparison.ts'
import { judgedRuns, type JudgedRuns } from '../../src/analysis/comparison/judged-runs.ts'
import { reviewLatency } from '../../src/analysis/comparison/latency-review.ts'
import { exactP, reviewShares } from '../../src/analysis/comparison/share-review.ts'
import type { GateRule } from '../../src/domain/comparison/rules.ts'
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

export const valuesOf = ({ baseline, candidate }: SimulatedRuns): JudgedRuns =>
  judgedRuns(baseline, candidate, { minOverlap: OVERLAP })

/** The rules that fail. */
export function failedRules(
  { overlap, values, baselineValues }: JudgedRuns,
  { seed, margin = MARGIN }: GateOptions,
): GateRule[] {
  const reviewed = {
    run: 1,
    isLow: overlap.isLow,
    grounding: reviewShares(values.grounding, seed),
    verdicts: reviewShares(values.verdicts, seed),
    // No default rule asks for these.
    availability: reviewShares([], seed),
    latency: reviewLatency([], { seed }),
    quota: null,
    baselineValues,
    minOverlap: OVERLAP,
    mustPass: { newlyFailing: [], unanswered: [], notAsked: [] },
    areNamed: false,
  }
  const level = shareLevel(gateTests(reviewed, RULES), ALPHA)
  return judgeRules(reviewed, RULES, level, margin).flatMap(({ rule, passed }) => (passed ? [] : [rule]))
}

/**
 * The same without the bootstrap where it cannot matter, in nine of ten comparisons of like runs: no p is less than that of the
 * sign flips. Only for runs that have most of their questions in common, with answers.
 */
export function failedRulesFast(judged: JudgedRuns, options: GateOptions): GateRule[] {
  const { grounding, verdicts } = judged.values
  return exactP(grounding) > ALPHA && exactP(verdicts) > ALPHA ? [] : failedRules(judged, options)
}
