// Simulated comparisons: like runs seldom fail, and the drop that the gate states is seen as often as it says.
import { describe, expect, test } from 'vitest'
import { upperBound } from './bound.ts'
import { add, countPair, NONE, type Counts, type Line } from './count.ts'
import { failedRules, failedRulesFast, valuesOf } from './gate.ts'
import { simulateRuns } from './simulate.ts'

const countAll = (line: Line, pairs: number): Counts =>
  Array.from({ length: pairs }, (_, place) => countPair(line, 7_000_000 + place)).reduce(add, NONE)

describe('two like runs fail in at most 5 of 100 comparisons', () => {
  test.each<[string, number, Line['setting']]>([
    ['threads', 200, { questions: 150 }],
    ['repeats', 150, { questions: 150, repeats: 3 }],
    // Where few are grounded, those that once were must not be expected to be so again: 15 of 100 failed.
  ])('%s, %i pairs', (name, pairs, setting) => {
    const { failed } = countAll({ kind: 'same', name, setting }, pairs)
    console.info(`${name}: ${failed} of ${pairs} failed`)
    expect(failed / pairs).toBeLessThanOrEqual(0.05)
  })
})

// 60 pairs have a standard error of 5 points. Whole threads used to be seen in 27 to 57 of 100.
test.each(['grounding', 'verdicts'] as const)('the drop stated of %s is seen in 80 of 100 cases', (of) => {
  for (const by of ['thread', 'question'] as const) {
    const line: Line = { kind: 'power', name: '', setting: { questions: 150 }, of, by }
    const { failed, drop } = countAll(line, 60)
    console.info(`${of} by ${by}s: ${((100 * drop) / 60).toFixed(1)} points seen in ${failed} of 60`)
    expect(failed / 60).toBeGreaterThanOrEqual(0.7)
    // Of promises so small that every drop is seen nobody has any use.
    expect(drop / 60).toBeLessThan(0.25)
  }
})

test('leaving the bootstrap out where it cannot matter changes no decision', () => {
  const decisions = Array.from({ length: 40 }, (_, seed) => {
    const drop = { share: 0.04 * (seed % 4), of: 'grounding', by: 'thread' } as const
    const judged = valuesOf(simulateRuns({ questions: 200, seed, ...(drop.share > 0 ? { drop } : {}) }))
    const whole = failedRules(judged, { seed })
    expect(failedRulesFast(judged, { seed })).toEqual(whole)
    return whole.length > 0
  })
  expect(new Set(decisions).size).toBe(2)
})

test('the upper bound: of none among n it is 1 − 0.05^(1/n), and as tables have it', () => {
  expect(upperBound(0, 100)).toBeCloseTo(1 - 0.05 ** 0.01, 8)
  // Two-sided 90 % of Clopper and Pearson for 2 of 20: 0.018 to 0.283.
  expect(upperBound(2, 20)).toBeCloseTo(0.283, 3)
})
