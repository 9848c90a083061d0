// Coverage: what its intervals count, and when it claims none.
import { describe, expect, test } from 'vitest'
import { coverageOf, createThreadTallies, type ThreadTally } from '../../src/analysis/turn-tally.ts'
import { wilsonOfShare } from '../../src/stats/intervals.ts'
import { makeQuestion } from '../support/questions.ts'

/** Threads asked once: `grounded` of `answered` questions each. */
const once = (...threads: readonly (readonly [grounded: number, answered: number])[]): ThreadTally[] =>
  threads.map(([grounded, answered]) => ({ grounded, answered, questions: answered, squares: answered }))
const repeat = <T>(count: number, of: (place: number) => T): T[] =>
  Array.from({ length: count }, (_, place) => of(place))

describe('coverage', () => {
  test('of nothing is missing, and says so', () => {
    expect(coverageOf([])).toEqual({
      rate: null,
      grounded: 0,
      answered: 0,
      low: null,
      high: null,
      cluster: null,
    })
  })

  test('of single questions has Wilson alone', () => {
    const coverage = coverageOf(once(...repeat(20, (place) => [place < 15 ? 1 : 0, 1] as const)))
    expect(coverage).toMatchObject({
      rate: 0.75,
      ...wilsonOfShare(0.75, 20),
      cluster: null,
    })
  })

  test('of threads has the interval over them beside it, and it is wider where threads agree', () => {
    const coverage = coverageOf(once(...repeat(20, (place) => [place < 15 ? 4 : 0, 4] as const)))
    expect(coverage).toMatchObject({
      rate: 0.75,
      ...wilsonOfShare(0.75, 80),
      cluster: { threads: 20 },
    })
    expect(coverage.cluster?.low).toBeLessThan(coverage.low ?? 0)
  })

  test.each([
    ['four threads of one question', once([1, 1], [0, 1], [1, 1], [0, 1])],
    ['four threads of ten', once([10, 10], [0, 10], [10, 10], [0, 10])],
  ])('of %s has no interval: fewer than five threads say too little', (_, threads) => {
    expect(coverageOf(threads)).toMatchObject({ rate: 0.5, low: null, high: null, cluster: null })
  })
})

describe('repeats', () => {
  test('make no interval narrower: the same answers three times are as much as once', () => {
    const asked = (times: number): ThreadTally[] =>
      repeat(30, (place) => ({
        grounded: place < 20 ? times : 0,
        answered: times,
        questions: 1,
        squares: times ** 2,
      }))
    const [three, one] = [coverageOf(asked(3)), coverageOf(asked(1))]
    expect(three).toEqual({ ...one, grounded: 60, answered: 90 })
  })

  test('in threads neither', () => {
    const asked = (times: number): ThreadTally[] =>
      repeat(30, (place) => ({
        grounded: times * (place % 4),
        answered: times * 4,
        questions: 4,
        squares: 4 * times ** 2,
      }))
    const [three, one] = [coverageOf(asked(3)), coverageOf(asked(1))]
    expect(three.cluster?.low).toBeCloseTo(one.cluster?.low ?? Number.NaN, 12)
  })
})

test('the tallies count questions once, threads of a name apart by file, and repeats by their squares', () => {
  const tallies = createThreadTallies()
  const first = makeQuestion('a', 't', 1)
  const second = makeQuestion('b', 't', 2)
  const elsewhere = makeQuestion('c', 't', 1, { file: 1 })
  for (const grounded of [true, false, true]) tallies.add({ index: 0, question: first }, grounded)
  tallies.add({ index: 1, question: second }, true)
  for (const grounded of [false, false]) tallies.add({ index: 2, question: elsewhere }, grounded)
  expect([...tallies.finish()]).toEqual([
    { grounded: 3, answered: 4, questions: 2, squares: 9 + 1 },
    { grounded: 0, answered: 2, questions: 1, squares: 4 },
  ])
})
