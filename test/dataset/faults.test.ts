// Question sets that are rejected: each with exactly what is said of it.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readFaults, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const MAKE_PIPE = 'mkfifo'
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const noMessage = (found: string): string =>
  `1: this is not a question set: column message is missing (found: ${found})`
const EMPTY = ' the file is empty; it needs a header row and a question'
const UNCLOSED =
  'a quote opens a cell here and is never closed, so the rows below were not read; close it, or write "" for a quote in a quoted cell'
const BROKEN =
  'cell 1 continues after its closing quote; write "" for a quote in a quoted cell, or look for a quote that was never closed'
const NO_TEXT =
  'NUL byte: the file is not plain text, or it is UTF-16 without a byte order mark; save it as "CSV UTF-8"'
const UNNAMED = 'quote cells that contain the separator, or name the column'
const TWICE = 'rename or delete all but one'
const NO_MESSAGE = 'the row has no message; write the question, or clear the whole row'
const PERSONAL =
  'and personal data must not be sent; write an opaque reference such as user-17, or clear the cell'
const TURN = 'is not a whole number; write the position in the thread, such as 1, 2, 3'
const NO_SOURCE =
  'expect_source has no value after "!"; write the source that the answer must not have, such as !NONE'
const BARS = String.raw`contains only bars; write texts between them, or \| for a bar itself`
const SIGN = 'fix it, or escape special characters with a backslash'
const LATENCY = 'must be a number of milliseconds above 0, such as 3000'
const MUST = 'must be yes or no; true, false, 1, 0 and x also work'
const SIMILARITY = 'must be a number from 0 to 1, such as 0.7'
const misspelt = (header: string, name: string): string =>
  `1: the column "${header}" is unknown; did you mean "${name}"? Correct the name, or choose a different one`

/** What stands in the file, and what is said behind `set.csv:`. */
const SETS: readonly (readonly [content: string | Buffer, ...faults: readonly string[]])[] = [
  ['', EMPTY],
  [Buffer.from([0xff, 0xfe]), EMPTY],
  ['\n\n,,\n', EMPTY],
  ['message,tags\r\n,\r\n\r\n', '1: the file has a header, but no questions; add a row'],
  [Buffer.from('PK\u0003\u0004\0xl/workbook.xml'), `1: ${NO_TEXT}`],
  [utf16('message\nhello\n'), `1: ${NO_TEXT}`],
  ['message\nhello\nWhy\0?\n', `3: ${NO_TEXT}`],
  ['name,details\nx,y\n', noMessage('"name", "details"')],
  ['How do I reset my password?\nWhere?\n', noMessage('"How do I reset my password?"')],
  ['{\n  "formatVersion": 1\n}\n', noMessage('"{"')],
  [
    'question,prompt\na,b\n',
    '1: "question" and "prompt" (columns 1 and 2) are names of the same column; rename the right one to "message", and the others become ordinary columns',
  ],
  [
    'message,Message,owner,Owner\na,b,c,d\n',
    `1: the column "message" occurs more than once (columns 1 and 2); ${TWICE}`,
    `1: the column "owner" occurs more than once (columns 3 and 4); ${TWICE}`,
  ],
  [
    'message,Thred,expect_sorce\nx,y,z\n',
    misspelt('Thred', 'thread'),
    misspelt('expect_sorce', 'expect_source'),
  ],
  ['message,trun\nx,1\n', misspelt('trun', 'turn')],
  ['message,must pas,Lable\nx,1,y\n', misspelt('must pas', 'must_pass'), misspelt('Lable', 'label')],
  [',message\n0,hello\n', `2: the row has 2 cells, the header 1 (the last cell is "0"); ${UNNAMED}`],
  ['message,tags\nhello, you,x\n', `2: the row has 3 cells, the header 2 (the last cell is "x"); ${UNNAMED}`],
  ['message,tags\nfine,x\n"not closed,y\nlost,z\n', `3: ${UNCLOSED}`],
  ['"message,tags\nhello,x\n', `1: ${UNCLOSED}`],
  ['message,tags\n"not closed,x\n"closed, here",y\n', `2: ${BROKEN}`],
  [
    'message,tags\n"She said "no, thanks" to me",x\n"a\nb" c,x\n,y\n',
    `2: ${BROKEN}`,
    `3: ${BROKEN}`,
    `5 (row 4): ${NO_MESSAGE}`,
  ],
  ['"message" x,tags\nhello,x\n', `1: ${BROKEN}`],
  ['message,tags\n,x\n"one\ntwo",x\n  ,y\n', `2: ${NO_MESSAGE}`, `5 (row 4): ${NO_MESSAGE}`],
  ['thread,turn,message\na,first,x\na,2,y\nb,-1,z\n', `2: turn "first" ${TURN}`, `4: turn "-1" ${TURN}`],
  [
    'thread,turn,message\na,1,x\na,2,y\na,4,z\nb,2,w\n',
    '4: thread "a" jumps from turn 2 (line 3) to turn 4; number its turns without gaps, or add the missing row',
    '5: thread "b" starts with turn 2; number its turns from 0 or 1',
  ],
  [
    'thread,turn,message\na,1,x\na,1,w\n',
    '3: turn 1 of thread "a" is already in line 2; give each row of a thread its own turn',
  ],
  [
    'thread,turn,message\na,1,x\na,,y\nb,,x\nb,1,y\n',
    '3: turn is missing here (thread "a"); number every row of a thread, or none',
    '5: turn is missing in line 4 (thread "b"); number every row of a thread, or none',
  ],
  [
    'thread,turn,message\n,2,x\na,0,z\n',
    '2: a row without a thread starts with turn 2; number its turns from 0 or 1',
  ],
  [
    'id,message\nq1,x\nq1,z\n',
    '3: the id "q1" is already in line 2; give each question its own id, or clear the cell',
  ],
  [
    'message,end_user_ref\nx,joe@example.com\ny,+49 (151) 2345-6789\nz,user-17\nw,a+1\n',
    `2: end_user_ref contains an e-mail address, ${PERSONAL}`,
    `3: end_user_ref contains a phone number, ${PERSONAL}`,
  ],
  ['message,expect_source\nx,!\n', `2: ${NO_SOURCE}`],
  [
    'message,expect_contains,expect_not_contains\nx,|,| |\n',
    `2: expect_contains "|" ${BARS}`,
    `2: expect_not_contains "| |" ${BARS}`,
  ],
  [
    'message;expect_regex\r\nx;(\r\ny;[z-a]\r\nv;ok.*\r\n',
    `2: expect_regex "(" is not a regular expression (Unterminated group); ${SIGN}`,
    `3: expect_regex "[z-a]" is not a regular expression (Range out of order in character class); ${SIGN}`,
  ],
  ['message,min_similarity\nx,1.5\nx,1\nx,"0,7"\n', `2: min_similarity "1.5" ${SIMILARITY}`],
  [
    'message,max_latency_ms\nx,0\nx,3s\nx,"1,500"\nx,2500\n',
    `2: max_latency_ms "0" ${LATENCY}`,
    `3: max_latency_ms "3s" ${LATENCY}`,
    `4: max_latency_ms "1,500" ${LATENCY}`,
  ],
  ['message,must_pass\rx,"y\u202eno\u0007\n!"\r', String.raw`2: must_pass "y\u{202e}no\u{7}\n!" ${MUST}`],
]

test.each(SETS.map(([content, ...faults]) => [content, faults] as const))('%j', async (content, faults) => {
  expect(await readFaults(folder, writeSet(folder, content))).toEqual(
    faults.map((fault) => `set.csv:${fault}`),
  )
})

test.skipIf(process.platform === 'win32')('paths that lead to no file', async () => {
  mkdirSync(join(folder, 'sets.csv'))
  execFileSync(MAKE_PIPE, [join(folder, 'pipe.csv')])
  const faults = await Promise.all(
    ['missing.csv', 'sets.csv', 'pipe.csv'].map(async (name) => readFaults(folder, join(folder, name))),
  )
  expect(faults.flat()).toEqual([
    'missing.csv: file not found; check its name and the current folder',
    'sets.csv: this is not a file; name the CSV file itself',
    'pipe.csv: this is not a file; name the CSV file itself',
  ])
})

test('an id stands once in all files, and faults are in the order of files and lines', async () => {
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

test('of a thousand faults and more, the first are kept and all are counted', async () => {
  const path = writeSet(folder, `message,must_pass\n${'x,?\n'.repeat(1500)}`)
  const reading = await readQuestionSets([path])
  expect(reading.kind === 'faulty' && [reading.faults.length, reading.truncated]).toEqual([1000, 500])
})
