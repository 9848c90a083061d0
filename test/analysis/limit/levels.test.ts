// How full each kind of limit was at each call, by hand; and the threshold that such levels give.
import { describe, expect, test } from 'vitest'
import { readCalls } from '../../../src/analysis/limit/calls.ts'
import { findClosures } from '../../../src/analysis/limit/closures.ts'
import { fixedLevels } from '../../../src/analysis/limit/fixed-levels.ts'
import * as level from '../../../src/analysis/limit/levels.ts'
import { bestCut } from '../../../src/analysis/limit/threshold.ts'
import * as turning from '../../../src/analysis/limit/turning-levels.ts'

/** Let through at 0, 100, 200 and 1200 ms, refused at 300 and 900; each refusal takes no time, each answer 500 ms. */
const calls = readCalls(
  [0, 100, 200, 300, 900, 1200].map((sentMs) => {
    const refused = sentMs === 300 || sentMs === 900
    return { sentMs, endedMs: refused ? sentMs : sentMs + 500, refused }
  }),
  0,
)
const into = (fill: (levels: level.Levels) => void): number[] => {
  const levels = level.makeLevels(calls.count)
  fill(levels)
  return [...levels.middle].map((one) => Math.round(one * 100) / 100)
}

describe('levels', () => {
  test.each<[string, (levels: level.Levels) => void, readonly number[]]>([
    [
      'a bucket that gains one a second',
      (to) => level.bucketLevels(calls, 0.001, to),
      [1, 1.9, 2.8, 3.7, 3.1, 2.8],
    ],
    ['a log of one second', (to) => level.logLevels(calls, 1000, to), [1, 2, 3, 4, 4, 1]],
    [
      'a log of one second that counts refusals',
      (to) => level.logOfAllLevels(calls, 1000, to),
      [1, 2, 3, 4, 5, 3],
    ],
    [
      'windows that turn at 250 and every 400 ms',
      (to) => fixedLevels(calls, 400, 250, to),
      [1, 2, 3, 1, 1, 1],
    ],
    [
      'windows of a second that begin with a call',
      (to) => turning.firstCallLevels(calls, 1000, to),
      [1, 2, 3, 4, 4, 1],
    ],
    // At 1200 ms a fifth of the second window is gone, and four fifths of the first one's three calls remain.
    ['a counter of one second', (to) => turning.counterLevels(calls, 1000, 0, to), [1, 2, 3, 4, 4, 3.4]],
    ['calls in flight', (to) => level.atOnceLevels(calls, to), [1, 2, 3, 4, 1, 1]],
  ])('%s', (_, fill, wanted) => {
    expect(into(fill)).toEqual(wanted)
  })

  test('a refusal is given the network’s doubt upwards, a call let through downwards', () => {
    const jittery = { ...calls, slackMs: 50 }
    const levels = level.makeLevels(jittery.count)
    level.bucketLevels(jittery, 0.001, levels)
    const doubts = [...levels.bound].map((one, place) => one - (levels.middle[place] ?? 0))
    expect(doubts.map((one) => Math.round(one * 1000) / 1000)).toEqual([0, -0.05, -0.05, 0.05, 0.05, -0.05])
  })
})

describe('the best threshold', () => {
  test.each<[string, readonly number[], object]>([
    ['parts what was let through from what was refused', [1, 2, 3, 4, 4, 1], { threshold: 3, cost: 0 }],
    [
      'takes the fewest wrong fates',
      [1, 2, 3, 2, 4, 1],
      { threshold: 3, wrongPassed: 0, wrongRefused: 1, cost: 1.1 },
    ],
    ['need not be met', [1, 1, 1, 1, 1, 1], { threshold: 1, wrongPassed: 0, wrongRefused: 2, cost: 2.2 }],
  ])('%s', (_, values, wanted) => {
    const levels = { bound: Float64Array.from(values), middle: Float64Array.from(values) }
    const cut = bestCut(calls, levels)
    expect(cut).toMatchObject({
      ...wanted,
      cost: expect.closeTo((wanted as { cost: number }).cost, 9) as number,
    })
  })
})

test('closures: from the first refusal in a row to the last', () => {
  expect(findClosures(calls)).toEqual([
    { first: 3, last: 4, lastedMs: 600, withinMs: 1000, openedAt: 1200, lastRefusedAt: 900 },
  ])
})
