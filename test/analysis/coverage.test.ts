// Coverage: what its intervals count, and when it claims none.
import { expect, test } from 'vitest'
import { createTurnTally } from '../../src/analysis/turn-tally.ts'
import type { Coverage } from '../../src/domain/summary.ts'
import { wilsonOfShare } from '../../src/stats/intervals.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

/** Whether each answer to a question was grounded, over its repeats. */
type Repeats = readonly boolean[]

/** Of threads of questions; threads of an odd place stand in a second file under the name of the one before. */
function coverageOf(threads: readonly (readonly Repeats[])[], areInTwoFiles = false): Coverage {
  const tally = createTurnTally(['KNOWLEDGE_BASE'])
  let index = 0
  for (const [place, questions] of threads.entries())
    for (const repeats of questions) {
      const file = areInTwoFiles ? place % 2 : 0
      const question = makeQuestion(`q${index}`, `t${place - file}`, 1, { file })
      for (const grounded of repeats)
        tally.add(makeTurn({ index, question, result: makeReply(grounded ? 'KNOWLEDGE_BASE' : 'MODEL') }))
      index += 1
    }
  return tally.finish().coverage
}
const repeat = <T>(count: number, of: (place: number) => T): T[] =>
  Array.from({ length: count }, (_, place) => of(place))
/** The first threads grounded, the others not; each of so many questions, each asked so many times. */
const threads = (count: number, grounded: number, questions = 1, times = 1): Repeats[][] =>
  repeat(count, (place) => repeat(questions, () => repeat(times, () => place < grounded)))

test('of nothing is missing, and says so', () => {
  const missing = { rate: null, grounded: 0, answered: 0, low: null, high: null, cluster: null }
  expect(coverageOf([])).toEqual(missing)
})

test('of single questions has Wilson alone', () => {
  expect(coverageOf(threads(20, 15))).toMatchObject({
    rate: 0.75,
    ...wilsonOfShare(0.75, 20),
    cluster: null,
  })
})

test('of threads has the interval over them beside it, and it is wider where threads agree', () => {
  const coverage = coverageOf(threads(20, 15, 4))
  expect(coverage).toMatchObject({ rate: 0.75, ...wilsonOfShare(0.75, 80), cluster: { threads: 20 } })
  expect(coverage.cluster?.low).toBeLessThan(coverage.low ?? 0)
})

test.each([1, 10])('of four threads of %i has no interval: they say too little', (questions) => {
  const none = { rate: 0.5, low: null, high: null, cluster: null }
  expect(coverageOf(threads(4, 2, questions))).toMatchObject(none)
})

test('threads of one name in two files are two', () => {
  expect(coverageOf(threads(6, 3, 2), true).cluster?.threads).toBe(6)
})

test('repeats make no interval narrower: the same answers three times are as much as once', () => {
  expect(coverageOf(threads(30, 20, 1, 3))).toEqual({
    ...coverageOf(threads(30, 20)),
    grounded: 60,
    answered: 90,
  })
  const [three, one] = [coverageOf(threads(30, 20, 4, 3)), coverageOf(threads(30, 20, 4))]
  expect(three.cluster?.low).toBeCloseTo(one.cluster?.low ?? Number.NaN, 12)
})

test('questions that were answered unequally often count as Kish has it', () => {
  // (6 · 3 + 6 · 1)² / (6 · 9 + 6 · 1) = 9.6 of twelve.
  const uneven = repeat(12, (place) => [repeat(place < 6 ? 3 : 1, () => place < 6)])
  expect(coverageOf(uneven)).toMatchObject({ rate: 18 / 24, ...wilsonOfShare(18 / 24, 9.6) })
})
