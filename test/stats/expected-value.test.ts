// What to expect of a run that varied: by hand, and against all orders of the answers.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectedValue, type Askings } from '../../src/stats/expected-value.ts'

const once = (...answers: readonly number[]): Askings[] => answers.map((yes) => ({ yes, asked: 1 }))

test.each<[string, Askings[], number, number]>([
  // Of five orders with one yes, three are found to vary: those with it in the middle, and never in the last run.
  ['one yes of five, the last run', once(0, 0, 1, 0, 0), 4, 0],
  ['the same, its middle', once(0, 0, 1, 0, 0), 2, 1 / 3],
  // Of ten with two, all but the two steady ones; four have one in the last, one of them steady.
  ['two yes of five', once(0, 1, 0, 1, 0), 4, 3 / 8],
  ['no, yes, no', once(0, 1, 0), 2, 0],
  ['yes, no, yes', once(1, 0, 1), 2, 1],
  ['repeats of one run: just what they show', [{ yes: 2, asked: 3 }], 0, 2 / 3],
  ['a run that is not among them: the share of all', once(0, 1, 0), -1, 1 / 3],
])('%s', (_, runs, place, expected) => {
  expect(expectedValue(runs, place)).toBeCloseTo(expected, 10)
})

function isVaried(runs: readonly Askings[]): boolean {
  const shares = runs.map(({ yes, asked }) => yes / asked)
  const turns = shares.filter((share, place) => place > 0 && share !== shares[place - 1]).length
  return turns >= 2 || shares.some((share) => share > 0 && share < 1)
}

/** Every way that as many yes answers may fall, run by run: how often each comes, of all orders. */
function* orders(sizes: readonly number[], yes: number): Generator<{ runs: Askings[]; ways: number }> {
  const [asked, ...rest] = sizes
  if (asked === undefined) {
    if (yes === 0) yield { runs: [], ways: 1 }
    return
  }
  for (let own = 0; own <= Math.min(asked, yes); own += 1) {
    let ways = 1
    for (let one = 0; one < own; one += 1) ways = (ways * (asked - one)) / (one + 1)
    for (const more of orders(rest, yes - own))
      yield { runs: [{ yes: own, asked }, ...more.runs], ways: ways * more.ways }
  }
}

test('the mean over all orders that are found to vary', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(), (asked, some, other) => {
      const place = other % asked.length
      const all = asked.reduce((sum, one) => sum + one, 0)
      const varied = [...orders(asked, some % (all + 1))].filter(({ runs }) => isVaried(runs))
      const [first] = varied
      if (first === undefined) return
      const ways = varied.reduce((sum, one) => sum + one.ways, 0)
      const yes = varied.reduce((sum, one) => {
        const own = one.runs[place]
        return own === undefined ? sum : sum + (one.ways * own.yes) / own.asked
      }, 0)
      expect(expectedValue(first.runs, place)).toBeCloseTo(yes / ways, 8)
    }),
  )
})
