// The gate of a comparison: which losses fail it, and the level that its tests share.
import { expect, test } from 'vitest'
import { shareLevel } from '../../../src/analysis/comparison/gate-tests.ts'
import { gateTests, judgeRules, type Reviewed } from '../../../src/analysis/comparison/judge-comparison.ts'
import { GATE_RULES, type GateRule } from '../../../src/domain/comparison/rules.ts'
import type { LatencyReview, UsageFigures, ShareReview } from '../../../src/domain/comparison/comparison.ts'

const share = (estimate: number, p: number): ShareReview => ({
  questions: 100,
  threads: 100,
  baseline: 0.8,
  candidate: 0.8 + estimate,
  difference: { estimate, low: estimate - 0.05, high: estimate + 0.05 },
  p,
  test: 'exact McNemar',
})
const nothing: ShareReview = {
  questions: 0,
  threads: 0,
  baseline: null,
  candidate: null,
  difference: null,
  p: null,
  test: null,
}
const latency = (baseline: number | null, candidate: number | null, p: number): LatencyReview => {
  const at = { baseline, candidate, difference: null, p }
  const all = { p50: at, p90: at, p95: at, p99: at }
  return { turns: 100, service: all, wait: all }
}
const usage = (callsPerTurn: number | null): UsageFigures => ({
  attempts: 100,
  min: 100,
  max: 100,
  turns: 100,
  callsPerTurn,
  rate429: 0,
  waitMs: 0,
  runMs: 1000,
})
const noMustPass = { newlyFailing: [], unanswered: [], notAsked: [] }
const same: Reviewed = {
  run: 1,
  isLow: false,
  grounding: share(0, 1),
  verdicts: share(0, 1),
  availability: share(0, 1),
  latency: latency(100, 100, 1),
  quota: { baseline: usage(1), candidate: usage(1), monthly: { min: 0, max: 0 }, allowance: null, byTag: {} },
  baselineValues: { grounding: 100, verdicts: 100 },
  minOverlap: 0.5,
  mustPass: noMustPass,
  areNamed: false,
}

function failing(change: Partial<Reviewed>, failOn: readonly GateRule[] = GATE_RULES): GateRule[] {
  const reviewed = { ...same, ...change }
  const level = shareLevel(gateTests(reviewed, failOn), 0.05)
  return judgeRules(reviewed, failOn, level, 0.02).flatMap(({ rule, passed }) => (passed ? [] : [rule]))
}
const DEFAULT: readonly GateRule[] = ['must-pass', 'grounding', 'verdicts']

test.each<[string, Partial<Reviewed>, GateRule[]]>([
  ['nothing changed', {}, []],
  ['a large, certain loss', { grounding: share(-0.1, 0.001) }, ['grounding']],
  ['a certain loss within the margin', { grounding: share(-0.02, 0.001) }, []],
  ['a large loss that may be noise', { grounding: share(-0.1, 0.03) }, []],
  ['a gain, however certain', { grounding: share(0.1, 0.001) }, []],
  [
    'both families at the level that is left',
    { grounding: share(-0.1, 0.02), verdicts: share(-0.1, 0.04) },
    ['grounding', 'verdicts'],
  ],
  ['no expectations at all', { verdicts: nothing, baselineValues: { grounding: 100, verdicts: 0 } }, []],
  ['a candidate without answers', { grounding: nothing, verdicts: nothing }, ['grounding', 'verdicts']],
  ['a must_pass question', { mustPass: { ...noMustPass, newlyFailing: ['q1'] } }, ['must-pass']],
  [
    'must_pass questions that were not asked',
    { mustPass: { ...noMustPass, notAsked: ['q1'] } },
    ['must-pass'],
  ],
  ['must_pass questions without an answer', { mustPass: { ...noMustPass, unanswered: ['q1'] } }, []],
  [
    'a named rule without anything to judge',
    { verdicts: nothing, areNamed: true, baselineValues: { grounding: 100, verdicts: 0 } },
    ['verdicts'],
  ],
  ['what was not asked for', { availability: share(-0.5, 0), latency: latency(100, 900, 0) }, []],
])('%s', (_, change, rules) => {
  expect(failing(change, DEFAULT)).toEqual(rules)
})

test.each<[string, Partial<Reviewed>, GateRule[]]>([
  ['errors', { availability: share(-0.1, 0.001) }, ['availability']],
  ['a p95 slower by a fifth', { latency: latency(100, 120, 0) }, []],
  ['a p95 slower by more', { latency: latency(100, 121, 0.001) }, ['latency']],
  ['a p95 slower by chance', { latency: latency(100, 200, 0.2) }, []],
  ['no latency', { latency: latency(100, null, 1) }, ['latency']],
  ['a tenth more calls', { quota: { ...same.quota, candidate: usage(1.1) } as Reviewed['quota'] }, []],
  ['more calls', { quota: { ...same.quota, candidate: usage(1.2) } as Reviewed['quota'] }, ['quota']],
  ['unknown calls', { quota: null }, ['quota']],
])('asked for: %s', (_, change, rules) => {
  expect(failing(change, ['availability', 'latency', 'quota'])).toEqual(rules)
})

test('with too few questions in both runs every rule fails, saying so', () => {
  expect(failing({ isLow: true })).toEqual([...GATE_RULES])
  const [first] = judgeRules({ ...same, isLow: true }, ['grounding'], shareLevel([], 0.05), 0.02)
  expect(first?.reason).toContain('too few questions')
})

test('several candidates share the level as well', () => {
  const tests = [0.02, 0.03, 0.04].map((p, place) => ({ rule: 'grounding' as const, run: place + 1, p }))
  const level = shareLevel(tests, 0.05)
  // 3 × .02 = .06 is more than the level, and nothing after it can be significant.
  expect(tests.map(({ run }) => level.isSignificant('grounding', run))).toEqual([false, false, false])
  expect(level.alphaEach).toBeCloseTo(0.05 / 3, 12)
  expect(shareLevel(tests.slice(0, 1), 0.05).isSignificant('grounding', 1)).toBe(true)
})
