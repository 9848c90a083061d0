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
const NO_TEXT =
  'NUL byte: the file is not plain text, or it is UTF-16 without a byte order mark; save it as "CSV UTF-8"'
const BROKEN =
  'cell 1 continues after its closing quote; write "" for a quote in a quoted cell, or look for a quote that was never closed'
const BARS = String.raw`contains only bars; write texts between them, or \| for a bar itself`
const misspelt = (header: string, name: string): string =>
  `1: the column "${header}" is unknown; did you mean "${name}"? Correct the name, or choose a different one`

/** What stands in the file, and what is said after `set.csv:`. What a user meets first is in scenarios/invalid.txt. */
const SETS: readonly (readonly [content: string | Buffer, ...faults: readonly string[]])[] = [
  [Buffer.from([0xff, 0xfe]), EMPTY],
  ['\n\n,,\n', EMPTY],
  [Buffer.from('PK\u0003\u0004\0xl/workbook.xml'), `1: ${NO_TEXT}`],
  [utf16('message\nhello\n'), `1: ${NO_TEXT}`],
  ['name,details\nx,y\n', noMessage('"name", "details"')],
  ['How do I reset my password?\nWhere?\n', noMessage('"How do I reset my password?"')],
  ['{\n  "formatVersion": 1\n}\n', noMessage('"{"')],
  [
    'message,Thred,expect_sorce\nx,y,z\n',
    misspelt('Thred', 'thread'),
    misspelt('expect_sorce', 'expect_source'),
  ],
  ['message,trun\nx,1\n', misspelt('trun', 'turn')],
  ['message,must pas,Lable\nx,1,y\n', misspelt('must pas', 'must_pass'), misspelt('Lable', 'label')],
  [
    ',message\n0,hello\n',
    '2: the row has 2 cells, the header 1 (the last cell is "0"); quote cells that contain the separator, or name the column',
  ],
  [
    '"message,tags\nhello,x\n',
    '1: a quote opens a cell here and is never closed, so the rows below were not read; close it, or write "" for a quote in a quoted cell',
  ],
  [
    'message,tags\n"She said "no, thanks" to me",x\n"a\nb" c,x\n,y\n',
    `2: ${BROKEN}`,
    `3: ${BROKEN}`,
    '5 (row 4): the row has no message; write the question, or clear the whole row',
  ],
  ['"message" x,tags\nhello,x\n', `1: ${BROKEN}`],
  [
    'thread,turn,message\na,1,x\na,,y\nb,,x\nb,1,y\n',
    '3: turn is missing here (thread "a"); number every row of a thread, or none',
    '5: turn is missing in line 4 (thread "b"); number every row of a thread, or none',
  ],
  [
    'thread,turn,message\n,2,x\na,-1,z\n',
    '2: a row without a thread starts with turn 2; number its turns from 0 or 1',
    '3: turn "-1" is not a whole number; write the position in the thread, such as 1, 2, 3',
  ],
  [
    'message,expect_source\nx,!\n',
    '2: expect_source has no value after "!"; write the source that the answer must not have, such as !NONE',
  ],
  [
    'message,expect_contains,expect_not_contains\nx,|,| |\n',
    `2: expect_contains "|" ${BARS}`,
    `2: expect_not_contains "| |" ${BARS}`,
  ],
  ...['0', '3s', '1.500,5'].map(
    (cell) =>
      [
        `message;max_latency_ms\nx;${cell}\n`,
        `2: max_latency_ms "${cell}" must be a number of milliseconds above 0, such as 3000`,
      ] as const,
  ),
  [
    'message,must_pass\rx,"y\u202eno\u0007\n!"\r',
    String.raw`2: must_pass "y\u{202e}no\u{7}\n!" must be yes or no; true, false, 1, 0 and x also work`,
  ],
]

test.each(SETS.map(([content, ...faults]) => [content, faults] as const))('%j', async (content, faults) => {
  expect(await readFaults(writeSet(folder, content))).toEqual(faults.map((fault) => `set.csv:${fault}`))
})

test.skipIf(process.platform === 'win32')('paths that lead to no file', async () => {
  mkdirSync(join(folder, 'sets.csv'))
  execFileSync(MAKE_PIPE, [join(folder, 'pipe.csv')])
  const faults = await Promise.all(
    ['missing.csv', 'sets.csv', 'pipe.csv'].map(async (name) => readFaults(join(folder, name))),
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
