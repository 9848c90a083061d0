// Simulated comparisons: like runs seldom fail, and the drop that the gate states is seen as often as it says.
import { describe, expect, test } from 'vitest'
import { failedRules, failedRulesFast, statedDrop, valuesOf } from './judge-pairs.ts'
import type { Simulation } from './simulate.ts'

const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, place) => 7_000_000 + place)

describe('two like runs fail in at most 5 of 100 comparisons', () => {
  test.each<[string, number, Omit<Simulation, 'seed'>]>([
    ['threads', 200, { questions: 150 }],
    ['repeats', 150, { questions: 150, repeats: 3 }],
  ])('%s, %i pairs', (name, pairs, setting) => {
    const failed = seedsOf(pairs).filter(
      (seed) => failedRulesFast(valuesOf({ ...setting, seed }), seed).length > 0,
    )
    console.info(`${name}: ${failed.length} of ${pairs} failed`)
    expect(failed.length / pairs).toBeLessThanOrEqual(0.05)
  })
})

// 60 pairs have a standard error of 5 points.
test.each(['grounding', 'verdicts'] as const)('the drop stated of %s is seen in 80 of 100 cases', (of) => {
  for (const by of ['thread', 'question'] as const) {
    const cases = seedsOf(60).map((seed) => {
      // What the gate says of two like runs over this set, and then whether it sees the drop in two others.
      const share = statedDrop(valuesOf({ questions: 150, seed }), of)
      const changed = valuesOf({ questions: 150, seed, drop: { share, of, by } })
      return { share, isSeen: failedRulesFast(changed, seed).includes(of) }
    })
    const seen = cases.filter(({ isSeen }) => isSeen).length
    const drop = cases.reduce((sum, { share }) => sum + share, 0) / 60
    console.info(`${of} by ${by}s: ${(100 * drop).toFixed(1)} points seen in ${seen} of 60`)
    expect(seen / 60).toBeGreaterThanOrEqual(0.7)
    // A large drop is easily seen, and no use as a promise.
    expect(drop).toBeLessThan(0.25)
  }
})

test('leaving the bootstrap out where it cannot matter changes no decision', () => {
  const decisions = Array.from({ length: 40 }, (_, seed) => {
    const drop = { share: 0.04 * (seed % 4), of: 'grounding', by: 'thread' } as const
    const values = valuesOf({ questions: 200, seed, ...(drop.share > 0 ? { drop } : {}) })
    const whole = failedRules(values, seed)
    expect(failedRulesFast(values, seed)).toEqual(whole)
    return whole.length > 0
  })
  expect(new Set(decisions).size).toBe(2)
})
