// How long people think: the shapes, by their own quantiles.
import { expect, test } from 'vitest'
import type { ThinkTime } from '../../../src/domain/load.ts'
import { createThinkTimes, drawThinkTime } from '../../../src/runner/load/timetable.ts'
import { createRandomStreams, seededRandom } from '../../../src/stats/random.ts'

// Of 20,000 draws, the share below a quantile is within 3.3 standard deviations of its own: 1.2 % at the median, 0.6 % at 95 %.
test.each<[ThinkTime, Readonly<Record<number, number>>]>([
  [
    { kind: 'uniform', fromMs: 100, toMs: 300 },
    { 120: 0.1, 200: 0.5, 290: 0.95 },
  ],
  // As far below the median as the 95th percentile is above it, by ratio.
  [
    { kind: 'lognormal', medianMs: 3000, p95Ms: 10_000 },
    { 900: 0.05, 3000: 0.5, 10_000: 0.95 },
  ],
])('%j', (thinkTime, quantiles) => {
  const random = seededRandom(5)
  const drawn = Array.from({ length: 20_000 }, () => drawThinkTime(thinkTime, random))
  for (const [value, share] of Object.entries(quantiles)) {
    const below = drawn.filter((ms) => ms < Number(value)).length / drawn.length
    expect(Math.abs(below - share)).toBeLessThan(3.3 * Math.sqrt((share * (1 - share)) / drawn.length))
  }
})

test('think times of a thread depend on its number alone, in whatever order threads draw them', () => {
  const thinking = () => createThinkTimes({ kind: 'uniform', fromMs: 0, toMs: 1000 }, createRandomStreams(1))
  const [one, other] = [{}, {}]
  const [apart, mixed] = [thinking(), thinking()]
  const expected = [apart(one, 1), apart(one, 1), apart(other, 2), apart(other, 2)]
  const [b1, a1, a2, b2] = [mixed(other, 2), mixed(one, 1), mixed(one, 1), mixed(other, 2)]
  expect([a1, a2, b1, b2]).toEqual(expected)
  expect(new Set(expected).size).toBe(4)
})
