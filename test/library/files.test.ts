// Protects written files: they are whole or not there, and a failed write keeps the old file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFiles, writeWhole } from '../../src/store/files.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const path = join(folder, 'table.csv')

test('overwrites the rest that a killed process has left', () => {
  writeFileSync(`${path}.tmp`, 'half of something longer')
  writeWhole(path, 'whole')
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['table.csv'], 'whole'])
})

test('a failing source of pieces leaves only the old file', async () => {
  writeWhole(path, 'old')
  const fault = new Error('no second piece')
  const pieces = function* (): Generator<string> {
    yield 'new'
    throw fault
  }
  await expect(writeFiles([[path, pieces()]])).rejects.toBe(fault)
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['table.csv'], 'old'])
})

test('a missing folder is a StorageError with the code of the system', () => {
  expect(() => writeWhole(join(folder, 'none', 'x'), '')).toThrow(
    expect.objectContaining({
      name: 'StorageError',
      cause: expect.objectContaining({ code: 'ENOENT' }) as unknown,
    }),
  )
})
