// Protects what `history` says of the gate's own error: its interval, the thresholds that guard nothing, and flips.
import { expect, test } from 'vitest'
import { gateTrial, type TriedNight } from '../../src/analysis/comparing/history.ts'
import type { Comparison } from '../../src/domain/comparison.ts'
import type { FoundRun } from '../../src/domain/history.ts'
import { normalQuantile } from '../../src/stats/distributions.ts'
import { seededRandom } from '../../src/stats/random.ts'

interface Night {
  readonly fails?: boolean
  readonly drops?: readonly [grounding: number | null, verdicts: number | null]
  readonly flipped?: readonly string[]
}

function night({
  fails = false,
  drops: [grounding, verdicts] = [null, null],
  flipped = [],
}: Night): TriedNight {
  const changes = flipped.map((id) => ({ id, message: `${id}?`, kinds: ['groundingLost'] }))
  const candidate = {
    grounding: { detectableDrop: grounding },
    verdicts: { detectableDrop: verdicts },
    changes,
  }
  const compared = { verdict: fails ? 'failed' : 'passed', reason: 'lost 3 points', candidates: [candidate] }
  // Nothing else of a comparison is read.
  return { folder: 'n', compared: compared as unknown as Comparison, areArticlesKnown: true }
}

const runsWith = (expression: string, values: readonly (number | null)[]): FoundRun[] =>
  values.map((value) => ({ thresholds: [{ expression, value }] }) as unknown as FoundRun)

/** Two neighbouring pairs share a night: one is worse than the night before by so much that the gate fails. */
function historyOf(rate: number, nights: number, random: () => number): TriedNight[] {
  const draw = (): number => normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, random())))
  const bound = Math.SQRT2 * normalQuantile(rate)
  let before = draw()
  return Array.from({ length: nights - 1 }, () => {
    const now = draw()
    const fails = now - before < bound
    before = now
    return night({ fails })
  })
}

test.each([0.01, 0.03, 0.05, 0.1, 0.2])(
  'the interval holds a true rate of %s in 93 of 100 histories of 30 nights',
  (rate) => {
    const random = seededRandom(Math.round(rate * 1000))
    const held = Array.from({ length: 400 }, () => {
      const { low = 1, high = 0 } = gateTrial(historyOf(rate, 30, random), 0, []).rate ?? {}
      return low <= rate && rate <= high
    }).filter(Boolean).length
    expect(held / 400).toBeGreaterThanOrEqual(0.93)
  },
)

test('one of 38 nights is 0 to 13 %', () => {
  const nights = Array.from({ length: 38 }, (_, index) => night({ fails: index === 20 }))
  const { rate, failed } = gateTrial(nights, 2, [])
  expect(failed).toEqual([{ folder: 'n', reason: 'lost 3 points' }])
  expect([rate?.low, rate?.high].map((share = 0) => Math.round(100 * share))).toEqual([0, 13])
})

test('the smallest loss is that of the median night, by the rule that sees less', () => {
  const nights = [
    night({ drops: [0.2, 0.1] }),
    night({ drops: [null, 0.05] }),
    night({ drops: [null, null] }),
  ]
  expect(gateTrial(nights, 0, []).detectableDrop).toBe(0.1)
  expect(gateTrial([night({})], 0, []).detectableDrop).toBeNull()
})

test('questions are listed by how often they flip', () => {
  const nights = [night({ flipped: ['a', 'b'] }), night({ flipped: ['b'] }), night({})]
  expect(gateTrial(nights, 0, []).flips).toEqual([
    { id: 'b', message: 'b?', times: 2 },
    { id: 'a', message: 'a?', times: 1 },
  ])
})

const around = (value: number, spread: number): number[] =>
  Array.from({ length: 10 }, (_, index) => value + (spread * index) / 9)

test.each([
  ['coverage>=60%', around(0.943, 0.03), 'coverage>=94%'],
  // A night at the suggested value must not fail.
  ['coverage>60%', around(0.9, 0.03), 'coverage>89%'],
  ['errors<90%', around(0, 0), 'errors<1%'],
  ['misfits<50', around(7, 0), 'misfits<8'],
  ['coverage>=92%', around(0.943, 0.03), undefined],
  ['errors<=20%', around(0.011, 0.01), 'errors<=3%'],
  ['latency.p95<60s', around(1830, 400), 'latency.p95<2300 ms'],
  ['coverage[billing]>=10%', around(0.5, 0.05), 'coverage[billing]>=50%'],
  ['coverage>=60%', around(0.943, 0.03).slice(0, 7), undefined],
  ['coverage>=60%', around(0.943, 0.03).map(() => null), undefined],
  ['status.success!=3', around(50, 5), undefined],
])('%s on such values: %s', (expression, values, tight) => {
  expect(gateTrial([], 0, runsWith(expression, values)).loose[0]?.tight).toBe(tight)
})
