// Whole files: a reader never meets half of one, and what fails leaves the old one.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writePieces, writeWhole } from '../../src/library/files.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const path = join(folder, 'table.csv')

test('what a killed process has left of it is written over', () => {
  writeFileSync(`${path}.tmp`, 'half of something longer')
  writeWhole(path, 'whole')
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['table.csv'], 'whole'])
})

test('pieces that cannot be made leave the old file, and nothing else', async () => {
  writeWhole(path, 'old')
  const fault = new Error('no second piece')
  const pieces = function* (): Generator<string> {
    yield 'new'
    throw fault
  }
  await expect(writePieces(path, pieces())).rejects.toBe(fault)
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['table.csv'], 'old'])
})

test('a folder that is not there is an error of the disk, with its code', () => {
  expect(() => writeWhole(join(folder, 'none', 'x'), '')).toThrow(
    expect.objectContaining({
      name: 'StorageError',
      cause: expect.objectContaining({ code: 'ENOENT' }) as unknown,
    }),
  )
})
