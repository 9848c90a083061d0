// Protects the gate's promises in simulated comparisons with its default rules: equal runs rarely fail, and the
// detectable drop is detected as often as stated.
import { expect, test } from 'vitest'
import { type JudgedCandidate, judgeRules } from '../../src/analysis/comparison/gates.ts'
import { pairRuns } from '../../src/analysis/comparison/pair.ts'
import { type QuestionValues, questionValues } from '../../src/analysis/comparison/question.ts'
import { clustersOf, detectableDrop, compareShares, signFlipP } from '../../src/analysis/comparison/shares.ts'
import type { GateRule } from '../../src/domain/comparison.ts'
import { simulateRuns, type Drop, type Simulation } from './simulate.ts'

const [ALPHA, MARGIN] = [0.05, 0.02]
const RULES = { failOn: ['must-pass', 'grounding', 'verdicts'], alpha: ALPHA, margin: MARGIN } as const
const SILENT = { baseline: null, candidate: null, difference: null, p: null }
const USAGE = { min: 1, max: 1, callsPerTurn: 1, shareOfQuota: null }
const QUESTIONS = 150

type Values = Readonly<Record<'grounding' | 'verdicts', readonly QuestionValues[]>>

function valuesOf(simulation: Simulation): Values {
  const { baseline, candidate } = simulateRuns(simulation)
  const { questions } = pairRuns(baseline, candidate)
  return {
    grounding: questionValues(questions, ({ grounded }) => grounded),
    verdicts: questionValues(questions, ({ passed }) => passed),
  }
}

/** The default rules that fail. None of them uses availability, latency or quota. */
function failedRules(values: Values, seed: number): GateRule[] {
  // p is never smaller than that of the sign flips, so nine of ten comparisons of equal runs need no
  // bootstrap.
  const flips = (of: keyof Values): number => signFlipP(clustersOf(values[of]))
  if (flips('grounding') > ALPHA && flips('verdicts') > ALPHA) return []
  const family = { detectableDrop: null }
  const totals = {
    overlap: { shared: 1, edited: 0, baseline: 1, candidate: 1, share: 1, isLow: false },
    grounding: { ...compareShares(values.grounding, seed), ...family },
    verdicts: { ...compareShares(values.verdicts, seed), ...family },
    availability: compareShares([], seed),
    latency: { p50: SILENT, p95: SILENT },
    quota: { baseline: USAGE, candidate: USAGE },
  }
  const judged: JudgedCandidate = {
    totals,
    withValues: { grounding: 0, verdicts: 0 },
    mustPass: { newlyFailing: [], notSent: [] },
    newlyFailing: [],
  }
  const results = judgeRules(judged, { ...RULES, minOverlap: 0.5, areNamed: false })
  return results.flatMap(({ rule, passed }) => (passed ? [] : [rule]))
}

const seedsOf = (pairs: number): number[] => Array.from({ length: pairs }, (_, place) => 7_000_000 + place)

/** How many of the pairs of equal runs fail. */
const countFailures = (pairs: number, repeats: number): number =>
  seedsOf(pairs).filter(
    (seed) => failedRules(valuesOf({ questions: QUESTIONS, repeats, seed }), seed).length > 0,
  ).length

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * Makes pairs that have the drop that the gate states for two equal runs of the same set. Returns how many
 * fail by it, the mean of the stated drops, and the mean of the drops in the runs.
 */
function plantDrops(pairs: number, of: Drop['of'], by: Drop['by']) {
  const cases = seedsOf(pairs).map((seed) => {
    const set = { questions: QUESTIONS, seed }
    const stated = detectableDrop(valuesOf(set)[of], ALPHA / 2, MARGIN) ?? NaN
    const values = valuesOf({ ...set, drop: { share: stated, of, by } })
    const shown = mean(values[of].map(({ baseline, candidate }) => baseline - candidate))
    return { stated, shown, isSeen: failedRules(values, seed).includes(of) }
  })
  return {
    seen: cases.filter(({ isSeen }) => isSeen).length,
    stated: mean(cases.map(({ stated }) => stated)),
    shown: mean(cases.map(({ shown }) => shown)),
  }
}

test.each([
  [200, 1],
  [150, 3],
])('of %i pairs of equal runs with %i repeats, at most 5 of 100 fail', (pairs, repeats) => {
  expect(countFailures(pairs, repeats) / pairs).toBeLessThanOrEqual(0.05)
})

// 60 pairs have a standard error of 5 points.
test.each([
  ['grounding', 'thread'],
  ['grounding', 'question'],
  ['verdicts', 'thread'],
  ['verdicts', 'question'],
] as const)('the detectable drop of %s is detected in 80 of 100 cases, for drops of whole %ss', (of, by) => {
  const { seen, stated, shown } = plantDrops(60, of, by)
  expect(seen / 60).toBeGreaterThanOrEqual(0.7)
  // A large drop is easily detected, and useless as a promise.
  expect(stated).toBeLessThan(0.25)
  // Otherwise the simulated runs would not have the drop that they claim.
  expect(Math.abs(shown - stated)).toBeLessThan(0.02)
})
