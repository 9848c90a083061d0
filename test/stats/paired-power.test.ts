// The power of the paired gate: published sizes, laws, and simulated gates.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactMcNemar } from '../../src/stats/mcnemar.ts'
import { effectivePairs, powerToSee, smallestDrop, type PairedGate } from '../../src/stats/paired-power.ts'
import { seededRandom } from '../../src/stats/random.ts'

describe('published sizes for 80 % at 0.05: so many pairs suffice, one fewer does not', () => {
  test.each([
    // Chow, Shao and Wang 2008, Sample Size Calculations in Clinical Research, McNemar: odds 0.2/0.5, 70 % discordant.
    [0.3, 0.7, 59],
    // Connor 1987, "Sample Size for Testing Differences in Proportions for the Paired-Sample Design", as the sample
    // size calculator of HyLown prints it: 0.45 and 0.05.
    [0.4, 0.5, 23],
  ])('a drop of %d among %d discordant: %i pairs', (drop, discordance, pairs) => {
    const gate = { discordance, alpha: 0.05 }
    expect(powerToSee(drop, { ...gate, pairs })).toBeGreaterThanOrEqual(0.8)
    expect(powerToSee(drop, { ...gate, pairs: pairs - 1 })).toBeLessThan(0.8)
    expect(smallestDrop({ ...gate, pairs })).toBeLessThanOrEqual(drop)
    expect(smallestDrop({ ...gate, pairs: pairs - 1 })).toBeGreaterThan(drop)
  })
})

const share = fc.double({ min: 0, max: 1, noNaN: true })
const gates = fc.record({
  pairs: fc.integer({ min: 20, max: 5000 }),
  discordance: share,
  alpha: fc.constantFrom(0.01, 0.025, 0.05),
  margin: fc.double({ min: 0, max: 0.2, noNaN: true }),
  exact: fc.boolean(),
})

test('the smallest drop is seen with the power asked, lies beyond the margin, and shrinks with more pairs', () => {
  fc.assert(
    fc.property(gates, fc.constantFrom(0.5, 0.8, 0.9), (gate, power) => {
      const drop = smallestDrop(gate, power)
      if (drop === undefined) throw new Error('a loss of all should be seen')
      expect(powerToSee(drop, gate)).toBeCloseTo(power, 6)
      expect(drop).toBeGreaterThanOrEqual(gate.margin - 1e-9)
      expect(smallestDrop({ ...gate, pairs: 2 * gate.pairs }, power)).toBeLessThan(drop + 1e-9)
    }),
  )
})

test('too few pairs see no drop at all', () => {
  expect(smallestDrop({ pairs: 3, discordance: 0, alpha: 0.05 })).toBeUndefined()
  // Five losses of five have p 0.0625.
  expect(smallestDrop({ pairs: 5, discordance: 0, alpha: 0.05, exact: true })).toBeUndefined()
})

/** How often the exact gate sees the drop, of 4,000 simulated comparisons. */
function seen(drop: number, gate: PairedGate, random: () => number): number {
  const { pairs, alpha, margin = 0 } = gate
  const differing = Math.max(gate.discordance, drop)
  let hits = 0
  for (let run = 0; run < 4000; run += 1) {
    let [lost, gained] = [0, 0]
    for (let pair = 0; pair < pairs; pair += 1) {
      const place = random()
      if (place < (differing + drop) / 2) lost += 1
      else if (place < differing) gained += 1
    }
    if (lost - gained > margin * pairs + 1e-9 && exactMcNemar(lost, gained) <= alpha) hits += 1
  }
  return hits / 4000
}

// The standard error is 0.6 points. With some ten discordant pairs the correction is too careful: up to 95.
test.each([
  [150, 0.05],
  [150, 0.15],
  [300, 0],
  [300, 0.05],
  [300, 0.15],
  [900, 0],
  [900, 0.05],
  [900, 0.15],
])(
  '%i pairs, %d discordant: the drop named is seen 80 times in 100, or more often where few counts are coarse',
  (pairs, discordance) => {
    const random = seededRandom(8)
    for (const alpha of [0.05, 0.025]) {
      const gate = { pairs, discordance, alpha, margin: 0.02, exact: true }
      const drop = smallestDrop(gate) ?? Number.NaN
      const rate = seen(drop, gate, random)
      console.info(
        `${pairs} pairs, ${discordance} discordant, alpha ${alpha}: drop ${drop.toFixed(4)} seen ${rate}`,
      )
      expect(rate).toBeGreaterThanOrEqual(0.78)
      expect(rate).toBeLessThanOrEqual(discordance * pairs > 20 ? 0.88 : 0.96)
    }
  },
)

describe('the effective number of pairs', () => {
  const threads = (count: number, changes: readonly number[]): Parameters<typeof effectivePairs>[0] =>
    Array.from({ length: count }, (_, place) => {
      const change = changes[place % changes.length] ?? 0
      return { turns: 4, baseline: change < 0 ? 4 : 0, candidate: change > 0 ? 4 : 0 }
    })

  test('is near the number of threads where each changes as one', () => {
    // A tenth lost, a tenth gained, all four turns of them.
    const effective = effectivePairs(threads(400, [-1, 1, 0, 0, 0, 0, 0, 0, 0, 0]), 0.2) ?? Number.NaN
    expect(effective / 400).toBeCloseTo(1, 1)
  })

  test('is near the number of turns where they change on their own, and never more', () => {
    const random = seededRandom(6)
    const clusters = Array.from({ length: 2000 }, () => {
      const one = { turns: 4, baseline: 0, candidate: 0 }
      for (let turn = 0; turn < one.turns; turn += 1) {
        const place = random()
        if (place < 0.1) one.baseline += 1
        else if (place < 0.2) one.candidate += 1
      }
      return one
    })
    const effective = effectivePairs(clusters, 0.2) ?? Number.NaN
    expect(effective).toBeGreaterThan(0.93 * 8000)
    expect(effective).toBeLessThanOrEqual(8000)
  })

  test('is known of two threads at least, and finite where nothing changed', () => {
    expect(effectivePairs(threads(1, [0]), 0)).toBeUndefined()
    const still = effectivePairs(threads(100, [0]), 0) ?? Number.NaN
    expect(still).toBeGreaterThan(100)
    expect(still).toBeLessThan(400)
  })
})
