// Protects what `validate` lists besides faults: conversations that ask the same, and personal data.
import { expect, test } from 'vitest'
import { findPersonalData } from '../../src/dataset/personal-data.ts'
import { surveyOf } from '../../src/dataset/survey.ts'
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

test.each([
  ['Mail jane.doe@example.com', ['e-mail address']],
  ['Call +31 20 123 4567', ['telephone number']],
  ['Ruf 0151 23456789 an', ['telephone number']],
  ['It is (020) 7946 0958', ['telephone number']],
  ['Dial 555-123-4567', ['telephone number']],
  ['Card 4111 1111 1111 1111', ['card number']],
  ['Card 4111-1111-1111-1112', []],
  ['IBAN DE89 3704 0044 0532 0130 00', ['account number']],
  ['gb82west12345698765432', ['account number']],
  ['IBAN DE88 3704 0044 0532 0130 00', []],
  ['Order 2026-05-17 12:30 and version 10.0.22631', []],
  ['Invoice 4711-0815, 1,000,000 rows, 192.168.100.200', []],
  ['a@1, tenant@17', []],
  ['Send 4111111111111111 to a@b.example', ['e-mail address', 'card number']],
])('%s holds %j', (message, kinds) => {
  expect(findPersonalData(message)).toEqual(kinds)
})
