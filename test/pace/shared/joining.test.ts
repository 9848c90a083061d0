// What a process that joins is told of the pace: whose it is, and whether the limit is known.
import { expect, test } from 'vitest'
import { describeJoining } from '../../../src/pace/shared/joining.ts'
import type { Status } from '../../../src/pace/shared/protocol.ts'

const learned = {
  pace: 5.4,
  capacity: 5.5,
  sustained: 5,
  memoryMs: 0,
  atOnce: undefined,
  recent: undefined,
  met: undefined,
}
const status: Status = {
  kind: 'status',
  term: 't',
  pace: 5.4,
  closure: undefined,
  processes: 2,
  concurrency: 64,
  learned,
  night: undefined,
  limit: undefined,
  cause: undefined,
  begun: '',
}

test.each([
  [
    {},
    undefined,
    'the pace, 5.4/s, comes from the others, and so does what is known of the limit: about 5/s',
  ],
  [{ pace: 1.98 }, 2, 'the pace, 1.98/s, is that of --rate; the others have found the limit: about 5/s'],
  // Another's is slower still.
  [
    { pace: 1.98, learned: undefined },
    20,
    'the pace, 1.98/s, comes from the others, who have not met the limit yet',
  ],
  [
    { learned: { ...learned, atOnce: 8 } },
    undefined,
    'the pace, 5.4/s, comes from the others, and so does what is known of the limit: 8 calls at once',
  ],
  [
    { pace: 0, learned: undefined },
    undefined,
    'the pace comes from the others, who have not met the limit yet',
  ],
])('%j with a rate of %s', (more, perSecond, words) => {
  expect(describeJoining({ ...status, ...more }, perSecond)).toBe(words)
})
