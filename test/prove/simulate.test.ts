// The simulated runs are what they claim, else the gate's promises would be proven on nothing.
import { expect, test } from 'vitest'
import { type Drop, simulateRuns } from './simulate.ts'

const SEEDS = Array.from({ length: 100 }, (_, place) => 3_000_000 + place)

/** Mean over many sets: of all, the share of the asked questions that are grounded, or of the graded ones that passed. */
function meanShares(of: Drop['of'], drop?: Drop): { readonly before: number; readonly after: number } {
  const [before, after] = [[0, 0] as [number, number], [0, 0] as [number, number]]
  for (const seed of SEEDS) {
    const runs = simulateRuns({ questions: 1000, seed, ...(drop === undefined ? {} : { drop }) })
    for (const [sum, turns] of [[before, runs.baseline] as const, [after, runs.candidate] as const])
      for (const turn of turns) {
        const value = of === 'grounding' ? turn.grounded : turn.passed
        if (value === undefined) continue
        sum[0] += Number(value)
        sum[1] += 1
      }
  }
  return { before: before[0] / before[1], after: after[0] / after[1] }
}

test('three of four answers are grounded, in both of two like runs', () => {
  const { before, after } = meanShares('grounding')
  expect(Math.abs(before - 0.75)).toBeLessThan(0.01)
  expect(Math.abs(after - 0.75)).toBeLessThan(0.01)
})

test.each([
  ['grounding', 'question'],
  ['grounding', 'thread'],
  ['verdicts', 'question'],
  ['verdicts', 'thread'],
] as const)('a planted drop of %s by %ss is as large as it says, on average', (of, by) => {
  const share = 0.12
  const { before, after } = meanShares(of, { share, of, by })
  expect(Math.abs(before - after - share)).toBeLessThan(0.006)
})
