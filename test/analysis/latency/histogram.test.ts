// Bins of durations: nothing is lost, edges are round, and there are neither too few nor too many.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { latencyHistogram } from '../../../src/analysis/latency/gather.ts'

const shown = (samples: readonly number[]): string =>
  latencyHistogram(samples)
    .map(({ from, to, count }) => `${from}–${to}: ${count}`)
    .join(', ')

test.each([
  ['nothing', [], ''],
  ['one answer', [200], '200–202: 1'],
  ['the same each time', [5, 5, 5], '5–5.05: 3'],
  [
    'close together: even steps',
    [100, 104, 111, 119, 120],
    '100–102: 1, 102–104: 0, 104–106: 1, 106–108: 0, 108–110: 0, 110–112: 1, 112–114: 0, 114–116: 0, 116–118: 0, 118–120: 1, 120–122: 1',
  ],
  [
    'far apart: sixths of a decade',
    [10, 14.9, 15, 99, 100],
    '10–15: 2, 15–20: 1, 20–30: 0, 30–50: 0, 50–70: 0, 70–100: 1, 100–150: 1',
  ],
  [
    'no time at all',
    [0, 0.05, 3],
    '0.1–0.15: 2, 0.15–0.2: 0, 0.2–0.3: 0, 0.3–0.5: 0, 0.5–0.7: 0, 0.7–1: 0, 1–1.5: 0, 1.5–2: 0, 2–3: 0, 3–5: 1',
  ],
])('%s', (_, samples, expected) => {
  expect(shown(samples)).toBe(expected)
})

describe('of any samples', () => {
  const samples = fc.array(fc.double({ min: 0, max: 10_000_000, noNaN: true }), {
    minLength: 1,
    maxLength: 200,
  })

  test('every one is counted once, in the bin that holds it', () => {
    fc.assert(
      fc.property(samples, (times) => {
        const bins = latencyHistogram(times)
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(times.length)
        const [first] = bins
        for (const { from, to, count } of bins) {
          const least = from === first?.from ? 0 : from
          expect(count).toBe(times.filter((time) => time >= least && time < to).length)
        }
      }),
    )
  })

  test('bins follow on each other, and are a few dozen at most', () => {
    fc.assert(
      fc.property(samples, (times) => {
        const bins = latencyHistogram(times)
        expect(bins.length).toBeGreaterThan(0)
        // Eight decades of six.
        expect(bins.length).toBeLessThanOrEqual(54)
        for (const [place, { from, to }] of bins.entries()) {
          expect(to).toBeGreaterThan(from)
          expect(bins[place + 1]?.from ?? to).toBe(to)
        }
      }),
    )
  })
})
