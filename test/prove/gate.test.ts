// Simulated comparisons: like runs seldom fail, and the drop that the gate states is seen as often as it says.
// With more pairs: `npm run bench -- gate`.
import { expect, test } from 'vitest'
import { countFailures, plantDrops } from './gate.ts'

test.each([
  [200, 1],
  [150, 3],
])('of %i pairs of like runs that ask %i times, at most 5 of 100 fail', (pairs, repeats) => {
  expect(countFailures(pairs, repeats) / pairs).toBeLessThanOrEqual(0.05)
})

// 60 pairs have a standard error of 5 points.
test.each([
  ['grounding', 'thread'],
  ['grounding', 'question'],
  ['verdicts', 'thread'],
  ['verdicts', 'question'],
] as const)('the drop stated of %s is seen in 80 of 100 cases, planted by %ss', (of, by) => {
  const { seen, stated, shown } = plantDrops(60, of, by)
  expect(seen / 60).toBeGreaterThanOrEqual(0.7)
  // A large drop is easily seen, and no use as a promise.
  expect(stated).toBeLessThan(0.25)
  // Else the promise would be proven on runs that are not what they claim.
  expect(Math.abs(shown - stated)).toBeLessThan(0.02)
})
