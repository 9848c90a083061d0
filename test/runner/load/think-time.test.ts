// Protects think times: their distributions, and that they depend on seed and thread alone.
import { expect, test } from 'vitest'
import type { ThinkTime } from '../../../src/domain/load.ts'
import { createThinkTimes } from '../../../src/runner/load.ts'
import { createRandomStreams, seededRandom } from '../../../src/stats/random.ts'

// The share of 20,000 draws below a quantile must be within 3.3 standard deviations: 1.2 % at the median, 0.6 % at 95 %.
test.each<[ThinkTime, Readonly<Record<number, number>>]>([
  [
    { kind: 'uniform', fromMs: 100, toMs: 300 },
    { 120: 0.1, 200: 0.5, 290: 0.95 },
  ],
  // The 5th percentile is as far below the median as the 95th is above it, by ratio.
  [
    { kind: 'lognormal', medianMs: 3000, p95Ms: 10_000 },
    { 900: 0.05, 3000: 0.5, 10_000: 0.95 },
  ],
])('%j has its quantiles', (thinkTime, quantiles) => {
  const next = createThinkTimes(thinkTime, () => seededRandom(5))
  const thread = {}
  const drawn = Array.from({ length: 20_000 }, () => next(thread, 1))
  for (const [value, share] of Object.entries(quantiles)) {
    const below = drawn.filter((ms) => ms < Number(value)).length / drawn.length
    expect(Math.abs(below - share)).toBeLessThan(3.3 * Math.sqrt((share * (1 - share)) / drawn.length))
  }
})

test('think times of a thread depend only on its number, whatever order threads draw them in', () => {
  const thinking = () => createThinkTimes({ kind: 'uniform', fromMs: 0, toMs: 1000 }, createRandomStreams(1))
  const [one, other] = [{}, {}]
  const [apart, mixed] = [thinking(), thinking()]
  const expected = [apart(one, 1), apart(one, 1), apart(other, 2), apart(other, 2)]
  const [b1, a1, a2, b2] = [mixed(other, 2), mixed(one, 1), mixed(one, 1), mixed(other, 2)]
  expect([a1, a2, b1, b2]).toEqual(expected)
  expect(new Set(expected).size).toBe(4)
})
