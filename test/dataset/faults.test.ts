// Protects what `validate` lists: faults that a text file cannot show (scenarios/invalid.txt covers the others),
// conversations that ask the same, and personal data.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPersonalData } from '../../src/dataset/personal-data.ts'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { surveyOf } from '../../src/dataset/survey.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readFaults, readValid, rowsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const MAKE_PIPE = 'mkfifo'

test.each<[string, Buffer]>([
  [' the file is empty; it needs a header row, and rows below it', Buffer.from([0xff, 0xfe])],
  [
    '1: NUL byte: the file is not plain text, or it is UTF-16 without a byte order mark; save it as "CSV UTF-8"',
    Buffer.from('message\nhello\n', 'utf16le'),
  ],
])('set.csv:%s', async (fault, content) => {
  expect(await readFaults(writeSet(folder, content))).toEqual([`set.csv:${fault}`])
})

test.skipIf(process.platform === 'win32')('paths that are not files are rejected', async () => {
  mkdirSync(join(folder, 'sets.csv'))
  execFileSync(MAKE_PIPE, [join(folder, 'pipe.csv')])
  const faults = await Promise.all(
    ['missing.csv', 'sets.csv', 'pipe.csv'].map(async (name) => readFaults(join(folder, name))),
  )
  expect(faults.flat()).toEqual([
    'missing.csv: no such file; check its name and the current folder',
    'sets.csv: this is not a file; name the CSV file itself',
    'pipe.csv: this is not a file; name the CSV file itself',
  ])
})

test('an id must be unique over all files, and faults are sorted by file and line', async () => {
  const paths = ['a.csv', 'b.csv'].map((name) =>
    writeSet(folder, 'id,message,must_pass\nq1,x,?\nq2,,\n', name),
  )
  const reading = await readQuestionSets(paths)
  expect(reading.kind === 'faulty' && reading.faults.map(({ file, line }) => [file, line])).toEqual([
    [paths[0], 2],
    [paths[0], 3],
    [paths[1], 2],
    [paths[1], 2],
    [paths[1], 3],
    [paths[1], 3],
  ])
})

test('every fault is listed, without a maximum', async () => {
  const path = writeSet(folder, `message,must_pass\n${'x,?\n'.repeat(1500)}`)
  const reading = await readQuestionSets([path])
  expect(reading.kind === 'faulty' && reading.faults.length).toBe(1500)
})

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

test.each(rowsOf<[message: string, kinds: string[]]>('personal-data.ndjson'))(
  '%s holds %j',
  (message, kinds) => {
    expect(findPersonalData(message)).toEqual(kinds)
  },
)
