// Protects the gate's promises in simulated comparisons: equal runs rarely fail, and the detectable drop is
// detected as often as stated. `npm run bench -- gate` does the same with more pairs.
import { expect, test } from 'vitest'
import { countFailures, plantDrops } from './gate.ts'

test.each([
  [200, 1],
  [150, 3],
])('of %i pairs of equal runs with %i repeats, at most 5 of 100 fail', (pairs, repeats) => {
  expect(countFailures(pairs, repeats) / pairs).toBeLessThanOrEqual(0.05)
})

// 60 pairs have a standard error of 5 points.
test.each([
  ['grounding', 'thread'],
  ['grounding', 'question'],
  ['verdicts', 'thread'],
  ['verdicts', 'question'],
] as const)('the detectable drop of %s is detected in 80 of 100 cases, for drops of whole %ss', (of, by) => {
  const { seen, stated, shown } = plantDrops(60, of, by)
  expect(seen / 60).toBeGreaterThanOrEqual(0.7)
  // A large drop is easily detected, and useless as a promise.
  expect(stated).toBeLessThan(0.25)
  // Otherwise the simulated runs would not have the drop that they claim.
  expect(Math.abs(shown - stated)).toBeLessThan(0.02)
})
