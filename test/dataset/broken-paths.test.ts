// Paths that lead to no file, several files at once, and more faults than are kept.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { surveyQuestionSets } from '../../src/dataset/survey.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readFaults, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const MAKE_PIPE = 'mkfifo'

test('a missing file', async () => {
  expect(await readFaults(folder, join(folder, 'missing.csv'))).toEqual([
    'missing.csv: there is no such file; check its name and the folder you are in',
  ])
})

test('a path through a file', async () => {
  const path = writeSet(folder, 'message\nhello\n', 'file.csv')
  expect(await readFaults(folder, join(path, 'set.csv'))).toEqual([
    'file.csv/set.csv: there is no such file, as a part of its path is a file, not a folder; check the path',
  ])
})

test('a directory', async () => {
  mkdirSync(join(folder, 'sets.csv'))
  expect(await readFaults(folder, join(folder, 'sets.csv'))).toEqual([
    'sets.csv: this is a folder, not a file; name the CSV file in it',
  ])
})

test.skipIf(process.platform === 'win32')('a device', async () => {
  expect(await readFaults(folder, '/dev/null')).toEqual([
    '/dev/null: this is no regular file; save it to a file first',
  ])
})

test.skipIf(process.platform === 'win32')('a named pipe, which must not hang', async () => {
  const path = join(folder, 'pipe.csv')
  execFileSync(MAKE_PIPE, [path])
  expect(await readFaults(folder, path)).toEqual([
    'pipe.csv: this is no regular file; save it to a file first',
  ])
})

test.skipIf(process.getuid === undefined || process.getuid() === 0)(
  'a file without the right to read it',
  async () => {
    const path = writeSet(folder, 'message\nhello\n', 'secret.csv')
    chmodSync(path, 0)
    expect(await readFaults(folder, path)).toEqual([
      'secret.csv: the file may not be read; give yourself the right to read it, or copy it',
    ])
  },
)

test('faults of all files, in the order of the files and their lines', async () => {
  const first = writeSet(folder, 'id,thread,turn,message\na,t,1,x\nb,t,3,\nc,u,5,y\n', 'first.csv')
  const second = writeSet(folder, 'message,id\nx,new\ny,b\n,d\n', 'second.csv')
  expect(await readFaults(folder, first, join(folder, 'none.csv'), second)).toEqual([
    'first.csv:3: the row has other cells, but no message; write the question, or empty the whole row',
    'first.csv:3: thread "t" goes from turn 1 (line 2) to turn 3; number its turns without gaps, or add the missing row',
    'first.csv:4: thread "u" begins with turn 5; number its turns from 0 or 1',
    'none.csv: there is no such file; check its name and the folder you are in',
    `second.csv:3: the id "b" stands in first.csv:3 already; give each question its own, or empty the cell`,
    'second.csv:4: the row has other cells, but no message; write the question, or empty the whole row',
  ])
})

test('a row that could not be read does not count as a gap in its thread', async () => {
  const path = writeSet(folder, 'thread,turn,message\na,1,x\na,2,y,z\na,3,w\nb,1,x\nb,no,y\nb,3,z\n')
  expect(await readFaults(folder, path)).toEqual([
    'set.csv:3: the row has 4 cells where the header names 3 (the last is "z"); put quotes around a cell that holds the separator, or name the column',
    'set.csv:6: turn "no" is no whole number from 0 on; write the place in the thread, such as 1, 2, 3',
  ])
})

test('keeps a thousand faults and counts the rest', async () => {
  const path = writeSet(folder, `message,must_pass\n${'x,?\n'.repeat(2500)}`)
  const reading = await readQuestionSets([path])
  const survey = await surveyQuestionSets([path])
  expect(reading.kind === 'faulty' && [reading.faults.length, reading.truncated]).toEqual([1000, 1500])
  expect(survey).toEqual(reading)
})
