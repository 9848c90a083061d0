// The simulator's true rates are those that were asked for, and its runs keep to them.
import { describe, expect, test } from 'vitest'
import type { TurnSummary } from '../../src/analysis/comparison/question.ts'
import { simulateRuns, type Simulation } from './simulate.ts'

const shareOf = (values: readonly (boolean | undefined)[]): number => {
  const known = values.filter((value) => value !== undefined)
  return known.filter(Boolean).length / known.length
}
const coverage = (turns: readonly TurnSummary[]): number => shareOf(turns.map(({ grounded }) => grounded))
const passRate = (turns: readonly TurnSummary[]): number => shareOf(turns.map(({ passed }) => passed))
const large: Simulation = { questions: 30_000, seed: 3 }

test('one seed, one pair of runs; another seed, another', () => {
  const small = { questions: 50, seed: 3 }
  expect(simulateRuns(small)).toEqual(simulateRuns(small))
  expect(simulateRuns({ ...small, seed: 4 })).not.toEqual(simulateRuns(small))
})

test('like runs are drawn from the same chances, and have the coverage asked for', () => {
  const { baseline, candidate, truth } = simulateRuns({ ...large, coverage: 0.7, unsure: 0.2 })
  expect(truth.baseline).toEqual(truth.candidate)
  expect(truth.baseline.coverage).toBeCloseTo(0.7, 2)
  for (const turns of [baseline, candidate]) {
    expect(turns).toHaveLength(30_000)
    expect(Math.abs(coverage(turns) - truth.baseline.coverage)).toBeLessThan(0.01)
    expect(Math.abs(passRate(turns) - truth.baseline.passed)).toBeLessThan(0.01)
  }
  expect(() => simulateRuns({ ...large, coverage: 0.99, unsure: 0.5 })).toThrow('no coverage of 0.99')
})

describe.each(['question', 'thread', 'tag'] as const)('a drop by %s', (by) => {
  test.each([
    [150, 0.03],
    [300, 0.05],
    [900, 0.1],
  ])('of %i questions is just %f, in chances and on average over runs', (questions, share) => {
    const drops = Array.from({ length: 200 }, (_, seed) => {
      const runs = simulateRuns({ questions, seed, drop: { share, of: 'grounding', by } })
      expect(runs.truth.baseline.coverage - runs.truth.candidate.coverage).toBeCloseTo(share, 9)
      expect(runs.truth.candidate.passed).toBeLessThanOrEqual(runs.truth.baseline.passed)
      return coverage(runs.baseline) - coverage(runs.candidate)
    })
    const average = drops.reduce((sum, drop) => sum + drop, 0) / drops.length
    expect(Math.abs(average - share)).toBeLessThan(0.006)
  })

  test('of verdicts leaves grounding alone', () => {
    const { truth } = simulateRuns({ questions: 300, seed: 1, drop: { share: 0.1, of: 'verdicts', by } })
    expect(truth.baseline.passed - truth.candidate.passed).toBeCloseTo(0.1, 9)
    expect(truth.candidate.coverage).toBe(truth.baseline.coverage)
  })
})

test('threads lose together: fewer threads change than questions do, and fewer tags', () => {
  const lost = (by: 'question' | 'thread' | 'tag', of: (turn: TurnSummary) => string): number => {
    const quiet = { questions: 900, seed: 5, unsure: 0, errors: { baseline: 0, candidate: 0 } }
    const runs = simulateRuns({ ...quiet, drop: { share: 0.1, of: 'grounding', by } })
    const flips = runs.candidate.filter(
      ({ grounded }, place) => grounded === false && runs.baseline[place]?.grounded === true,
    )
    return new Set(flips.map(of)).size
  }
  expect(lost('thread', ({ thread }) => thread)).toBeLessThan(0.9 * lost('question', ({ thread }) => thread))
  expect(lost('tag', ({ tags }) => tags.join())).toBeLessThan(lost('thread', ({ tags }) => tags.join()))
})

test('threads of one to five turns, most of one; turns in order; an error ends its thread', () => {
  const { baseline, candidate } = simulateRuns({ ...large, errors: { baseline: 0.02, candidate: 0.05 } })
  const sizes = new Map<string, number>()
  const jumps = baseline.filter(({ thread, turn }) => {
    const before = sizes.get(thread) ?? 0
    sizes.set(thread, turn)
    return turn !== before + 1
  })
  expect(jumps).toEqual([])
  const counts = [1, 2, 3, 4, 5].map((size) => [...sizes.values()].filter((one) => one === size).length)
  expect(counts).toEqual(counts.toSorted((some, other) => other - some))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(sizes.size)
  for (const [turns, rate] of [
    [baseline, 0.02],
    [candidate, 0.05],
  ] as const) {
    const asked = turns.filter(({ outcome }) => outcome !== 'skipped')
    const errors = asked.filter(({ outcome }) => outcome === 'server_error')
    expect(Math.abs(errors.length / asked.length - rate)).toBeLessThan(0.005)
    const wrong = turns.filter(({ thread, outcome }, place) => {
      const next = turns[place + 1]
      return next?.thread === thread && (outcome === 'answered') === (next.outcome === 'skipped')
    })
    expect(wrong).toEqual([])
  }
})

test('repeats ask every question again, each time with its own luck', () => {
  const { baseline } = simulateRuns({ questions: 200, repeats: 3, coverage: 0.6, unsure: 0.5, seed: 2 })
  expect(baseline).toHaveLength(600)
  const values = new Map<string, Set<boolean | undefined>>()
  for (const { id, grounded } of baseline)
    values.set(id, (values.get(id) ?? new Set<boolean | undefined>()).add(grounded))
  expect([...values.values()].filter(({ size }) => size > 1).length).toBeGreaterThan(20)
})
