// Processes that were told different things: the strictest of it holds. And what one goes on at that has lost the others.
import { expect, test } from 'vitest'
import { fairPart } from '../../../src/pace/shared/alone.ts'
import {
  parseMessage,
  statusSchema,
  toConductorSchema,
  type Rules,
} from '../../../src/pace/shared/protocol.ts'
import { rateOf, strictest } from '../../../src/pace/shared/rules.ts'

const plain: Rules = { perSecond: undefined, concurrency: undefined, start: undefined, share: 1 }

test.each<[string, Partial<Rules>[], Partial<Rules>]>([
  ['nothing', [{}, {}], {}],
  [
    'the slowest known rate, known to one alone too',
    [{ perSecond: 5 }, {}, { perSecond: 8 }],
    { perSecond: 5 },
  ],
  ['the fewest calls at once', [{ concurrency: 9 }, { concurrency: 3 }], { concurrency: 3 }],
  [
    'the gentlest start and the smallest share',
    [{ start: 4, share: 0.5 }, { start: 1 }],
    { start: 1, share: 0.5 },
  ],
])('%s', (_, told, holds) => {
  expect(strictest(told.map((one) => ({ ...plain, ...one })))).toEqual({ ...plain, ...holds })
})

test('no known rate means to find it', () => {
  expect(rateOf(plain)).toEqual({ kind: 'auto' })
  expect(rateOf({ ...plain, perSecond: 2 })).toEqual({ kind: 'known', perSecond: 2 })
})

const status = parseMessage(
  statusSchema,
  JSON.stringify({
    kind: 'status',
    term: '1:a',
    pace: 12,
    isProbing: false,
    processes: 4,
    concurrency: 10,
    learned: { pace: 12, capacity: 8, memoryMs: 0 },
    begun: '',
  }),
)

test('the fair part is of what the limit is known to allow, and whole calls at once', () => {
  if (status === undefined) throw new Error('a status is one of the messages')
  expect(fairPart(status)).toEqual({ pace: 2, concurrency: 2 })
  expect(fairPart({ ...status, learned: undefined })).toEqual({ pace: 3, concurrency: 2 })
  expect(fairPart({ ...status, processes: 20 })).toEqual({ pace: 0.4, concurrency: 1 })
})

test.each(['', 'no json', '{}', '{"kind":"want","from":1}', '{"kind":"leave"}', 'null'])(
  'what is no message of ours is passed over: %s',
  (text) => {
    expect(parseMessage(toConductorSchema, text)).toBeUndefined()
  },
)
