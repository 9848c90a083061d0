// What the limiter learned of the limit: the latest figures, on the evidence of all sittings, as the count of 429s is.
import { expect, test } from 'vitest'
import { createFold } from '../../../src/analysis/fold.ts'
import type { JournalRecord } from '../../../src/domain/journal.ts'
import type { InferredLimit } from '../../../src/domain/limit.ts'

const AT = Date.UTC(2026, 10, 21)
const sitting = (number: number): JournalRecord => ({
  kind: 'sitting',
  at: AT,
  sitting: number,
  harnessVersion: '0.1.0',
})
const pace = (limit?: Partial<InferredLimit>): JournalRecord => ({
  kind: 'pace',
  at: AT,
  pace: 1,
  cause: '',
  ...(limit === undefined
    ? {}
    : {
        limit: {
          kind: 'rate',
          perSecond: 1,
          windowMs: null,
          burst: null,
          atOnce: null,
          episodes: 0,
          refusals: 0,
          ...limit,
        },
      }),
})
const learned = (...records: readonly JournalRecord[]): InferredLimit | undefined => {
  const fold = createFold<undefined>()
  for (const record of records) fold.add(record, undefined)
  return fold.finish().limit
}
const first = [
  sitting(1),
  pace({ episodes: 1, refusals: 2 }),
  pace({ episodes: 3, refusals: 7, perSecond: 4 }),
]

test.each<[string, readonly JournalRecord[], object | undefined]>([
  ['no limit was met', [sitting(1), pace()], undefined],
  ['one sitting counts for itself', first, { episodes: 3, refusals: 7, perSecond: 4 }],
  [
    'a limiter begins to count anew in each sitting',
    [...first, sitting(2), pace(), pace({ episodes: 1, refusals: 1, perSecond: 5 })],
    { episodes: 4, refusals: 8, perSecond: 5 },
  ],
  [
    'a sitting that met no limit takes nothing away',
    [...first, sitting(2), pace(), sitting(3)],
    { episodes: 3, refusals: 7, perSecond: 4 },
  ],
  [
    'what jobs counted together is no count of this run',
    [...first, sitting(2), pace({ episodes: 2, refusals: 9, together: true })],
    { episodes: 2, refusals: 9, together: true },
  ],
  [
    'nor is it one of a later sitting',
    [
      sitting(1),
      pace({ episodes: 2, refusals: 9, together: true }),
      sitting(2),
      pace({ episodes: 1, refusals: 1 }),
    ],
    { episodes: 1, refusals: 1 },
  ],
])('%s', (_, records, found) => {
  if (found === undefined) expect(learned(...records)).toBeUndefined()
  else expect(learned(...records)).toMatchObject(found)
})
