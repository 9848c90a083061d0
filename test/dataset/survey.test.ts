// Protects what `validate` lists besides faults: conversations that ask the same, and personal data.
import { expect, test } from 'vitest'
import { findPersonalData } from '../../src/dataset/personal-data.ts'
import { surveyOf } from '../../src/dataset/survey.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readValid, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const linesOf = async (...rows: string[]) => {
  const { equalQuestions } = surveyOf(
    await readValid(writeSet(folder, ['message,thread', ...rows].join('\n'))),
  )
  return equalQuestions.map((group) => group.map(({ line }) => line).join())
}

test.each([
  ['How do I reset my password?', 'how do I  reset my password?', ['2,3']],
  ['What’s the limit?', "What's the limit?", ['2,3']],
  ['How do I reset my password?', 'How can I reset the password?', []],
  ['How do I reset my password?', 'How do I reset my pasword?', []],
  ['Why?', 'Why', []],
])('%s and %s: equal in %j', async (one, other, lines) => {
  expect(await linesOf(one, other)).toEqual(lines)
})

test('conversations are compared as a whole', async () => {
  const talk = (thread: string, last: string) => ['Hello', last].map((message) => `${message},${thread}`)
  expect(await linesOf(...talk('a', 'On my phone'), ...talk('b', 'At home'))).toEqual([])
  expect(await linesOf(...talk('a', 'On my phone'), ...talk('b', 'on my  phone'))).toEqual(['2,4'])
})

test.each(readRows<[message: string, kinds: string[]]>(new URL('personal-data.ndjson', import.meta.url)))(
  '%s holds %j',
  (message, kinds) => {
    expect(findPersonalData(message)).toEqual(kinds)
  },
)
