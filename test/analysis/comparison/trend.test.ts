// Figures over several runs.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { trendOf, type TrendRun, type TrendTurn } from '../../../src/analysis/comparison/trend.ts'
import type { Trend } from '../../../src/domain/comparison/comparison.ts'
import { makeSummary } from '../../support/summaries.ts'
import { makeTurn } from '../../support/turns.ts'

const answer = (id: string, grounded: boolean | undefined, passed?: boolean): TrendTurn => ({
  id,
  message: `message of ${id}`,
  outcome: 'answered',
  grounded,
  passed,
})
const without = (id: string, outcome: TrendTurn['outcome']): TrendTurn => ({
  ...answer(id, undefined),
  outcome,
})
const run = (...turns: readonly TrendTurn[]): TrendRun => ({ summary: undefined, turns })
const of = (runs: readonly TrendRun[], figure: Trend['figure']): Trend | undefined =>
  trendOf(runs).find((one) => one.figure === figure)

test('two runs have no trend', () => {
  expect(trendOf([run(answer('a', true)), run(answer('a', true))])).toEqual([])
})

test('shares are over questions with a value in every run, repeats folded', () => {
  const runs = [
    run(answer('a', true), answer('a', true), answer('a', false), answer('b', true), answer('old', false)),
    run(answer('a', false), answer('b', true), without('c', 'timeout'), answer('new', false)),
    run(answer('a', true), { ...answer('b', true), message: 'edited' }, answer('c', true)),
  ]
  expect(of(runs, 'coverage')).toEqual({
    figure: 'coverage',
    unit: 'share',
    questions: 1,
    values: [2 / 3, 0, 1],
  })
  const graded = [
    run(answer('a', true, true), answer('b', true, false)),
    run(answer('a', true, true), answer('b', true, true)),
    run(answer('a', true, false), answer('b', true, false), answer('c', true, false)),
  ]
  expect(of(graded, 'passed')).toMatchObject({ questions: 2, values: [0.5, 1, 0] })
})

test('errors ÷ asked: a skipped question was not asked', () => {
  const runs = [
    run(answer('a', true), without('b', 'timeout'), answer('c', true)),
    run(without('a', 'malformed'), without('b', 'server_error'), without('c', 'skipped')),
    run(answer('a', undefined), answer('b', true), without('c', undefined)),
  ]
  expect(of(runs, 'errors')).toMatchObject({ questions: 2, values: [0.5, 1, 0] })
  // No question has an answer in every run: the second run has none at all, the others share a and b.
  expect(of(runs, 'coverage')).toMatchObject({ questions: 0, values: [null, null, null] })
})

test('a run without any value has none, and takes none from the others', () => {
  const runs = [run(answer('a', true)), run(without('a', 'timeout')), run(answer('a', false))]
  expect(of(runs, 'coverage')).toMatchObject({ questions: 1, values: [1, null, 0] })
  expect(of([run(), run(), run()], 'passed')).toMatchObject({ questions: 0, values: [null, null, null] })
})

test('the rest is as the summaries have it', () => {
  const summary = makeSummary([
    makeTurn({ serviceMs: 100, waitMs: 10 }),
    makeTurn({
      serviceMs: 300,
      waitMs: 50,
      rateLimited: 1,
      usage: { attempts: 2, certain: 1, possible: 0, notCounted: 1, min: 1, max: 1 },
    }),
  ])
  const trend = trendOf([{ summary, turns: [] }, run(), { summary: makeSummary([]), turns: [] }])
  expect(trend.map(({ figure, unit, values }) => [figure, unit, ...values]).slice(3)).toEqual([
    ['latency.p50', 'ms', 100, null, null],
    ['latency.p95', 'ms', 300, null, null],
    ['wait.p95', 'ms', 50, null, null],
    ['callsPerTurn', 'callsPerTurn', 1.5, null, null],
    ['quota.max', 'calls', 2, null, 0],
    ['rate429', 'share', 1 / 3, null, null],
  ])
})

const turn = fc
  .record({ id: fc.constantFrom('a', 'b', 'c', 'd'), grounded: fc.option(fc.boolean(), { nil: undefined }) })
  .map(({ id, grounded }) => answer(id, grounded, grounded))

test('a run and itself do not move; the order of turns does not matter', () => {
  fc.assert(
    fc.property(fc.array(turn), fc.array(turn), (some, other) => {
      for (const { values } of trendOf([run(...some), run(...some), run(...some)]))
        expect(new Set(values).size).toBe(1)
      const forth = [run(...some), run(...other), run(...some, ...other)]
      const back = [run(...some.toReversed()), run(...other.toReversed()), run(...other, ...some)]
      for (const [place, { values }] of trendOf(forth).entries())
        for (const [at, value] of values.entries()) {
          const mirrored = trendOf(back)[place]?.values[at]
          if (value === null) expect(mirrored).toBeNull()
          else expect(mirrored).toBeCloseTo(value, 12)
        }
    }),
  )
})
