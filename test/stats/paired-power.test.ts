// Protects the detectable drop: against the exact power of the test, and with the effective number of pairs in threads.
import { describe, expect, test } from 'vitest'
import { effectivePairs, smallestDrop } from '../../src/stats/paired-power.ts'
import { seededRandom } from '../../src/stats/random.ts'

interface Gate {
  readonly count: number
  readonly discordance: number
  readonly alpha: number
  readonly margin: number
}

/** Probabilities of 0 … n successes in n trials of probability `p`. */
function binomial(n: number, p: number): number[] {
  let chances = [1]
  for (let trial = 0; trial < n; trial += 1)
    chances = [...chances, 0].map((chance, at) => chance * (1 - p) + (chances[at - 1] ?? 0) * p)
  return chances
}

/** By the number of tosses of a fair coin: the probability of each number of heads. */
const FAIR = Array.from({ length: 301 }, (_, tosses) => binomial(tosses, 0.5))

/** McNemar's two-sided p, by `lost + gained` and by the smaller of the two. */
const TAILS = FAIR.map((chances) => {
  let sum = 0
  return chances.map((chance) => Math.min(1, 2 * (sum += chance)))
})
const exactMcNemar = (lost: number, gained: number): number =>
  TAILS[lost + gained]?.[Math.min(lost, gained)] ?? Number.NaN

/** The probability that test and margin detect `lost` pairs, summed over all outcomes. */
function exactPower(lost: number, { count, discordance, alpha, margin }: Gate): number {
  let power = 0
  for (const [differing, chance] of binomial(count - lost, discordance).entries())
    if (chance > 1e-12)
      for (const [gained, ofThose] of FAIR[differing]?.entries() ?? []) {
        const [losses, net] = [lost + differing - gained, lost + differing - 2 * gained]
        if (net > margin * count + 1e-9 && exactMcNemar(losses, gained) <= alpha) power += chance * ofThose
      }
  return power
}

const dropOf = ({ count, ...gate }: Gate): number | undefined => smallestDrop({ ...gate, pairs: () => count })

test.each([
  // Computed separately with Python's integers.
  [50, 8, 0.2, 0.1, 0, 0.580366909101],
  [50, 8, 0.2, 0.1, 0.18, 0.30040894416],
  [120, 12, 0.1, 0.025, 0.05, 0.565373139253],
])('the exact power of %i pairs with %i lost is right', (count, lost, discordance, alpha, margin, power) => {
  expect(exactPower(lost, { count, discordance, alpha, margin })).toBeCloseTo(power, 9)
})

const GATES = [0.05, 0.025, 0.0125].flatMap((alpha) =>
  [15, 30, 60, 150, 300].flatMap((count) =>
    [0, 0.02, 0.05, 0.15, 0.3].flatMap((discordance) =>
      [0.02, 0.1].map((margin): Gate => ({ count, discordance, alpha, margin })),
    ),
  ),
)

test('the drop is detected in at least 78 of 100 cases, and is at most three pairs too large', () => {
  for (const gate of GATES) {
    const drop = dropOf(gate) ?? Number.NaN
    const lost = Math.round(drop * gate.count)
    expect([gate, exactPower(lost, gate) >= 0.78]).toEqual([gate, true])
    expect([gate, exactPower(lost - 3, gate) < 0.8]).toEqual([gate, true])
  }
})

test('at 5 % six losses of six are detected and five of five are not; a margin of 100 % is never exceeded', () => {
  const gate = { discordance: 0, alpha: 0.05, margin: 0 }
  expect(dropOf({ ...gate, count: 6 })).toBeCloseTo(1, 6)
  expect(dropOf({ ...gate, count: 5 })).toBeUndefined()
  expect(dropOf({ ...gate, count: 6, margin: 1 })).toBeUndefined()
})

describe('the effective number of pairs', () => {
  test('is near the number of turns, and not above, if turns change independently', () => {
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

  test('is the number of threads for a drop of whole threads, and larger the more other changes there are', () => {
    // Without other changes, each thread of four turns is lost as a whole.
    const quiet = Array.from({ length: 100 }, () => ({ turns: 4, baseline: 4, candidate: 4 }))
    expect(effectivePairs(quiet, 0)?.(0.1)).toBeCloseTo(100, 9)
    // One thread of ten turns and ninety of one turn, half of which can be lost: Σm²/Σm = (100 + 45)/55.
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
