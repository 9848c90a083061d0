// The answer of a failed question is quoted once, other answers all the same.
import { expect, test } from 'vitest'
import { tellAnswerOnce } from '../../src/report/told-once.ts'

test('the same answer once, another one again, and what quotes none as it is', () => {
  expect(
    tellAnswerOnce([
      'failed 2 of 2 times',
      "does not contain 'a'; the answer was 'x'",
      "does not contain 'b'; the answer was 'x'",
      "does not contain 'c'; the answer was 'y'",
      'was MODEL, expected KNOWLEDGE_BASE',
    ]),
  ).toEqual([
    'failed 2 of 2 times',
    "does not contain 'a'; the answer was 'x'",
    "does not contain 'b'",
    "does not contain 'c'; the answer was 'y'",
    'was MODEL, expected KNOWLEDGE_BASE',
  ])
})
