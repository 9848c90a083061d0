// The exact power and the smallest drop that a gate sees: plain sums, small cases by hand, laws, and simulated gates; what threads are worth for it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactPowerAt, effectivePairs, smallestDrop } from '../../src/stats/paired-power.ts'
import { exactMcNemar } from '../../src/stats/paired-tests.ts'
import { seededRandom } from '../../src/stats/random.ts'

test.each([
  // Summed apart from this code, in Python's whole numbers.
  [50, 8, 0.2, 0.1, 0, 0.580366909101],
  [50, 8, 0.2, 0.1, 0.18, 0.30040894416],
  [120, 12, 0.1, 0.025, 0.05, 0.565373139253],
])(
  '%i pairs, %i lost for good, %d differing by chance: as plain sums give',
  (pairs, lost, discordance, alpha, margin, power) => {
    expect(exactPowerAt(alpha)(lost / pairs, { pairs, discordance, margin })).toBeCloseTo(power, 9)
  },
)

test('by hand', () => {
  // Six losses of six have p 2^−5, five of five 2^−4.
  const power = exactPowerAt(0.05)
  expect(power(1, { pairs: 6, discordance: 0 })).toBe(1)
  expect(power(1, { pairs: 5, discordance: 0 })).toBe(0)
  // Half way from five lost to six.
  expect(power(5.5 / 6, { pairs: 6, discordance: 0 })).toBeCloseTo(0.5, 9)
  // Five are lost and the sixth differs for sure: as likely lost as gained.
  expect(power(5 / 6, { pairs: 6, discordance: 1 })).toBeCloseTo(0.5, 9)
  // A net loss of all six is not beyond a margin of all.
  expect(power(1, { pairs: 6, discordance: 0, margin: 1 })).toBe(0)
  expect(power(0.5, { pairs: 0, discordance: 0 })).toBe(0)
})

test('a chance, no smaller for a larger drop, nor larger for a larger margin or a stricter level', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const gates = fc.record({ pairs: fc.integer({ min: 1, max: 300 }), discordance: share, margin: share })
  fc.assert(
    fc.property(gates, share, share, (gate, some, other) => {
      const [small, large] = [Math.min(some, other), Math.max(some, other)]
      const power = exactPowerAt(0.05)
      const [less, more] = [power(small, gate), power(large, gate)]
      expect(less).toBeGreaterThanOrEqual(0)
      expect(more).toBeLessThanOrEqual(1 + 1e-9)
      // The exact test is coarse: one pair more that differs for sure may cost it a step.
      if (gate.discordance < 0.3) expect(more).toBeGreaterThanOrEqual(less - 0.05)
      expect(power(large, { ...gate, margin: Math.min(1, gate.margin + 0.1) })).toBeLessThanOrEqual(
        more + 1e-9,
      )
      expect(exactPowerAt(0.01)(large, gate)).toBeLessThanOrEqual(more + 1e-9)
    }),
  )
})

test.each([
  [150, 0],
  [150, 0.05],
  [300, 0.05],
  [900, 0.15],
])('%i pairs, %d discordant: the drop named is seen 80 times in 100', (pairs, discordance) => {
  const gate = { pairs, discordance, margin: 0.02 }
  const power = exactPowerAt(0.025)
  const drop = smallestDrop((one) => power(one, gate)) ?? Number.NaN
  const random = seededRandom(14)
  let hits = 0
  for (let run = 0; run < 4000; run += 1) {
    // The drop lies between two whole numbers of pairs.
    let [lost, gained] = [Math.floor(drop * pairs + random()), 0]
    for (let left = pairs - lost; left > 0; left -= 1) {
      const place = random()
      if (place < discordance / 2) lost += 1
      else if (place < discordance) gained += 1
    }
    if (lost - gained > 0.02 * pairs + 1e-9 && exactMcNemar(lost, gained) <= 0.025) hits += 1
  }
  console.info(`${pairs} pairs, ${discordance} discordant: drop ${drop.toFixed(4)} seen ${hits / 4000}`)
  // Three standard errors.
  expect(Math.abs(hits / 4000 - 0.8)).toBeLessThan(0.019)
})

test('the smallest drop is seen with the power asked, lies beyond the margin, and is no larger with more pairs', () => {
  const gates = fc.record({
    pairs: fc.integer({ min: 30, max: 1000 }),
    discordance: fc.double({ min: 0, max: 0.3, noNaN: true }),
    margin: fc.double({ min: 0, max: 0.2, noNaN: true }),
  })
  fc.assert(
    fc.property(gates, fc.constantFrom(0.5, 0.8, 0.9), (gate, power) => {
      const exact = exactPowerAt(0.025)
      const drop = smallestDrop((one) => exact(one, gate), power)
      if (drop === undefined) throw new Error('a loss of all should be seen')
      expect(exact(drop, gate)).toBeCloseTo(power, 4)
      // To within one pair: a margin falls between whole numbers of them.
      expect(drop).toBeGreaterThan(gate.margin - 1 / gate.pairs)
      const more = smallestDrop((one) => exact(one, { ...gate, pairs: 2 * gate.pairs }), power)
      expect(more).toBeLessThan(drop + 1 / gate.pairs)
    }),
    { numRuns: 50 },
  )
})

test('too few pairs see no drop at all', () => {
  const exact = exactPowerAt(0.05)
  // Five losses of five have p 0.0625.
  expect(smallestDrop((drop) => exact(drop, { pairs: 5, discordance: 0 }))).toBeUndefined()
  expect(smallestDrop((drop) => exact(drop, { pairs: 6, discordance: 0 }))).toBeCloseTo(5.8 / 6, 6)
})

describe('the effective number of pairs', () => {
  const threads = (count: number, changes: readonly number[]): Parameters<typeof effectivePairs>[0] =>
    Array.from({ length: count }, (_, place) => {
      const change = changes[place % changes.length] ?? 0
      return { turns: 4, baseline: change < 0 ? 4 : 0, candidate: change > 0 ? 4 : 0 }
    })

  test('is near the number of threads where each changes as one', () => {
    // A tenth lost, a tenth gained, all four turns of them.
    const effective = effectivePairs(threads(400, [-1, 1, 0, 0, 0, 0, 0, 0, 0, 0]), 0.2)?.(0) ?? Number.NaN
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
    const effective = effectivePairs(clusters, 0.2)?.(0) ?? Number.NaN
    expect(effective).toBeGreaterThan(0.93 * 8000)
    expect(effective).toBeLessThanOrEqual(8000)
  })

  test('is known of two threads at least, and finite where nothing changed', () => {
    expect(effectivePairs(threads(1, [0]), 0)).toBeUndefined()
    const still = effectivePairs(threads(100, [0]), 0)?.(0) ?? Number.NaN
    expect(still).toBeGreaterThan(100)
    expect(still).toBeLessThan(400)
  })

  test('of a drop that takes whole threads is the number of threads, for what changes already it stays', () => {
    // Without other changes, each thread of four is lost as one.
    const quiet = Array.from({ length: 100 }, () => ({ turns: 4, baseline: 4, candidate: 4 }))
    expect(effectivePairs(quiet, 0)?.(0.1)).toBeCloseTo(100, 9)
    // One thread of ten turns, and ninety of one, of which half have something to lose: Σm²/Σm = (100 + 45)/55.
    const uneven = [10, ...Array.from({ length: 90 }, () => 1)].map((turns, place) => {
      const value = turns > 1 ? turns : place % 2
      return { turns, baseline: value, candidate: value }
    })
    expect(effectivePairs(uneven, 0)?.(0.1)).toBeCloseTo((100 * 55) / 145, 9)
    const still = effectivePairs(quiet, 0.05)?.(0) ?? Number.NaN
    const between = effectivePairs(quiet, 0.05)?.(0.05) ?? Number.NaN
    expect(between).toBeGreaterThan(100)
    expect(between).toBeLessThan(still)
  })
})
