// The exact power: plain sums, small cases by hand, laws, and simulated gates.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactPowerAt, smallestDrop } from '../../src/stats/paired-power.ts'
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
