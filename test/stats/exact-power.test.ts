// The exact power: plain sums, small cases by hand, and simulated gates.
import { expect, test } from 'vitest'
import { exactPowerToSee } from '../../src/stats/exact-power.ts'
import { exactMcNemar } from '../../src/stats/mcnemar.ts'
import { powerToSee, smallestDrop } from '../../src/stats/paired-power.ts'
import { seededRandom } from '../../src/stats/random.ts'

test('50 pairs, 0.32 lost against 0.08 gained, one side of 0.1: as plain sums over whole binomials give', () => {
  // Summed apart from this code, in Python's whole numbers.
  expect(exactPowerToSee(0.24, { pairs: 50, discordance: 0.4, alpha: 0.1 })).toBeCloseTo(0.8393569848603, 10)
})

test('by hand', () => {
  // Six losses of six are needed, all or nothing.
  expect(exactPowerToSee(0.5, { pairs: 6, discordance: 0.5, alpha: 0.05 })).toBeCloseTo(0.5 ** 6, 12)
  expect(exactPowerToSee(1, { pairs: 6, discordance: 0, alpha: 0.05 })).toBe(1)
  expect(exactPowerToSee(1, { pairs: 5, discordance: 0, alpha: 0.05 })).toBe(0)
  // A net loss of all six is not beyond a margin of all.
  expect(exactPowerToSee(1, { pairs: 6, discordance: 0, alpha: 0.05, margin: 1 })).toBe(0)
})

test('nears the approximation with many pairs', () => {
  const gate = { pairs: 3000, discordance: 0.2, alpha: 0.05, margin: 0.01 }
  expect(exactPowerToSee(0.023, gate)).toBeCloseTo(powerToSee(0.023, { ...gate, exact: true }), 2)
})

test.each([
  [150, 0],
  [150, 0.05],
  [300, 0.05],
  [900, 0.15],
])('%i pairs, %d discordant: the drop named is seen 80 times in 100', (pairs, discordance) => {
  const gate = { pairs, discordance, alpha: 0.025, margin: 0.02 }
  const drop = smallestDrop(gate, 0.8, exactPowerToSee) ?? Number.NaN
  const differing = Math.max(discordance, drop)
  const random = seededRandom(14)
  let hits = 0
  for (let run = 0; run < 4000; run += 1) {
    let [lost, gained] = [0, 0]
    for (let pair = 0; pair < pairs; pair += 1) {
      const place = random()
      if (place < (differing + drop) / 2) lost += 1
      else if (place < differing) gained += 1
    }
    if (lost - gained > 0.02 * pairs + 1e-9 && exactMcNemar(lost, gained) <= 0.025) hits += 1
  }
  console.info(`${pairs} pairs, ${discordance} discordant: drop ${drop.toFixed(4)} seen ${hits / 4000}`)
  // Three standard errors.
  expect(Math.abs(hits / 4000 - 0.8)).toBeLessThan(0.019)
})
