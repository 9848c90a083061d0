// How a joined run ended, from how its parts did.
import { expect, test } from 'vitest'
import type { Stop } from '../../../src/domain/stop.ts'
import { joinStops } from '../../../src/cli/merging/join-stops.ts'

const done: Stop = { kind: 'done' }
const budget: Stop = { kind: 'budget', maxCalls: 5 }
const gaveUp: Stop = { kind: 'gaveUp', over: 'failures', last: '500', afterMs: 1 }
const interrupted: Stop = { kind: 'interrupted', signal: 'SIGTERM' }
const keyRefused: Stop = { kind: 'keyRefused', httpStatus: 401, message: 'no' }
const limiterLost: Stop = { kind: 'limiterLost', reason: 'Redis is lost' }
const fault: Stop = { kind: 'fault', message: 'bug' }

const join = (stops: readonly (Stop | undefined)[], more = {}): Stop | undefined =>
  joinStops(
    stops.map((stop, place) => ({ shard: { index: place + 1, of: 3 }, stop })),
    { missing: [], attempts: 10, maxCalls: null, ...more },
  )

test.each<[string, (Stop | undefined)[], Stop | undefined]>([
  ['all done', [done, done], done],
  ['one gave up', [done, gaveUp, done], gaveUp],
  ['one lost Redis', [done, limiterLost, done], limiterLost],
  ['one died', [done, undefined], undefined],
  ['one died, one was interrupted', [undefined, interrupted], interrupted],
  ['one gave up, one died', [gaveUp, undefined], undefined],
  ['a refused key is worse than an interruption', [interrupted, keyRefused], keyRefused],
  ['a fault is the worst', [keyRefused, fault, undefined], fault],
])('%s', (_, stops, expected) => {
  expect(join(stops)).toEqual(expected)
})

test('parts that are missing are said, where nothing worse has happened', () => {
  const missing = [2, 3]
  expect(join([done], { missing })).toEqual({ kind: 'partsMissing', parts: missing, of: 3 })
  expect(join([budget], { missing })?.kind).toBe('partsMissing')
  expect(join([keyRefused], { missing })).toEqual(keyRefused)
})

test('a budget is that of the whole where it is used up, else that of the part', () => {
  expect(join([done, budget], { maxCalls: 10 })).toEqual({ kind: 'budget', maxCalls: 10 })
  expect(join([done, budget], { maxCalls: 15 })).toEqual({ ...budget, part: { index: 2, of: 3 } })
})

test('a budget of parts is that of every part that has used its share up', () => {
  const smaller: Stop = { kind: 'budget', maxCalls: 4 }
  expect(join([budget, done, smaller], { maxCalls: 15 })).toEqual({
    kind: 'budget',
    maxCalls: 9,
    part: { index: 1, of: 3, others: [3] },
  })
})
