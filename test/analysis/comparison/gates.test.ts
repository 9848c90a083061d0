// Protects the rules of --fail-on: when each fails, and how their tests share the level alpha.
import { describe, expect, test } from 'vitest'
import { type Gates, judgeRules, testLevel } from '../../../src/analysis/comparing/rules.ts'
import type {
  ComparedFigure,
  ComparedShare,
  GateResult,
  GateRule,
  Totals,
} from '../../../src/domain/comparison.ts'
import type { ListedQuestion } from '../../../src/domain/summary.ts'

const share: ComparedShare = {
  questions: 300,
  baseline: 0.8,
  candidate: 0.8,
  difference: { estimate: 0, low: -0.02, high: 0.02 },
  p: 1,
  test: 'sign flips over threads',
}
const family = { ...share, detectableDrop: 0.043 }
const usage = { min: 305, max: 305, callsPerTurn: 1, shareOfQuota: null }
const percentile = { baseline: 1000, candidate: 1000, difference: null, p: 0.9 }
const overlap = { shared: 305, edited: 0, baseline: 305, candidate: 305, share: 1, isLow: false }

const rules = { alpha: 0.05, margin: 0.02, minOverlap: 0.5, areNamed: false, groundedSources: [] }
type Found = Partial<Omit<Gates, 'totals'> & Totals>

/** A comparison without changes, except for `more`. */
const judged = ({ mustPass, newlyFailing = [], withValues, ...more }: Found = {}): Gates => ({
  totals: {
    overlap,
    grounding: family,
    verdicts: family,
    availability: share,
    latency: { p50: percentile, p95: percentile },
    quota: { baseline: usage, candidate: usage },
    ...more,
  },
  mustPass: mustPass ?? { newlyFailing: [], notSent: [] },
  newlyFailing,
  withValues: withValues ?? { grounding: 300, verdicts: 300 },
})
const judge = (rule: GateRule, more: Found, areNamed = false): GateResult | undefined =>
  judgeRules(judged(more), { ...rules, areNamed, failOn: [rule] })[0]

const fell = (points: number, p: number) => ({
  ...family,
  candidate: 0.8 - points / 100,
  difference: { estimate: -points / 100, low: null, high: null },
  p,
})
const quota = (callsPerTurn: number | null) => ({ baseline: usage, candidate: { ...usage, callsPerTurn } })
const p95 = (candidate: number | null, p: number | null, p50: Partial<ComparedFigure> = {}) => ({
  p50: { ...percentile, ...p50 },
  p95: { ...percentile, baseline: candidate === null ? null : 1000, candidate, p },
})
const low = { ...overlap, shared: 3, share: 0.01, isLow: true }
const nothing = { ...family, questions: 0, baseline: null, candidate: null, difference: null, p: null }

const SILENT = { verdicts: nothing, withValues: { grounding: 0, verdicts: 0 } }
const [A, B] = ['a', 'b'].map((id) => ({ id, message: 'Why?' })) as [ListedQuestion, ListedQuestion]

test.each<[GateRule, Found, boolean, string]>([
  ['must-pass', {}, true, 'must-pass-newly-failing'],
  ['must-pass', { mustPass: { newlyFailing: [A], notSent: [B] } }, false, 'must-pass-newly-failing'],
  ['must-pass', { mustPass: { newlyFailing: [], notSent: [B] } }, false, 'must-pass-not-sent'],
  ['newly-failing', {}, true, 'newly-failing'],
  ['newly-failing', { newlyFailing: [A] }, false, 'newly-failing'],
  ['grounding', {}, true, 'share-not-lower'],
  ['grounding', { grounding: fell(5, 0.001) }, false, 'share-fell'],
  ['grounding', { grounding: fell(5, 0.2) }, true, 'share-within-noise'],
  ['grounding', { grounding: fell(2, 0.001) }, true, 'share-within-margin'],
  ['grounding', { grounding: { ...fell(0, 1), questions: 100 } }, false, 'too-few-values'],
  ['grounding', { overlap: low }, false, 'overlap-low'],
  ['verdicts', SILENT, true, 'nothing-to-judge'],
  ['availability', { availability: fell(5, 0.001) }, false, 'share-fell'],
  ['latency', { latency: p95(1200, 0.001) }, true, 'p95-not-slower'],
  ['latency', { latency: p95(1300, 0.001) }, false, 'p95-slower'],
  ['latency', { latency: p95(1300, 0.2) }, true, 'p95-within-noise'],
  ['latency', { latency: p95(null, 1) }, false, 'nothing-to-judge'],
  // Below sixty conversations p95 has no test of its own.
  ['latency', { latency: p95(1300, null, { candidate: 1400, p: 0.001 }) }, false, 'p95-slower'],
  ['latency', { latency: p95(1300, null, { candidate: 1400, p: 0.2 }) }, true, 'p95-within-noise'],
  ['latency', { latency: p95(1300, null, { candidate: 1150, p: 0.001 }) }, true, 'p95-within-noise'],
  ['latency', { latency: p95(1300, null, { candidate: 1400, p: null }) }, true, 'p95-within-noise'],
  ['quota', { quota: quota(1.1) }, true, 'calls-not-more'],
  ['quota', { quota: quota(1.2) }, false, 'calls-more'],
  ['quota', { quota: quota(null) }, false, 'nothing-to-judge'],
])('%s with %j: passed %s, code %s', (rule, more, passed, code) => {
  const result = judge(rule, more)
  expect([result?.rule, result?.passed, result?.reason.code]).toEqual([rule, passed, code])
})

test('a rule named in --fail-on fails if it has nothing to judge', () => {
  expect(judge('verdicts', SILENT, true)?.passed).toBe(false)
})

test('a reason holds its code and sentence', () => {
  expect(judge('grounding', { grounding: fell(5, 0.001) })?.reason).toEqual({
    code: 'share-fell',
    text: 'grounded 80.0 % → 75.0 % (−5.0 points over 300 questions): more than the margin of 2.0 points, and more than noise',
  })
})

describe('the level alpha', () => {
  test('is shared by all tests (Holm)', () => {
    const failOn = ['grounding', 'verdicts', 'availability'] as const
    const more = { grounding: fell(5, 0.03), verdicts: fell(5, 0.015), availability: fell(5, 0.04) }
    const failed = (of: Found): boolean[] =>
      judgeRules(judged(of), { ...rules, failOn }).map(({ passed }) => !passed)
    // Three tests: 3 × 0.015 is below 5 %, 2 × 0.03 is not, and then no greater p counts.
    expect(failed(more)).toEqual([false, true, false])
    expect(failed({ ...more, grounding: fell(5, 0.02) })).toEqual([true, true, true])
  })

  test('is divided by the number of rules with a test', () => {
    const failOn = ['must-pass', 'grounding', 'verdicts', 'quota'] as const
    expect(testLevel({ ...rules, failOn })).toBe(0.025)
    expect(testLevel({ ...rules, failOn: [] })).toBe(0.05)
  })
})
