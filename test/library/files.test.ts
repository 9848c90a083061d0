// Protects written files: they are whole or not there, and a failed write keeps the old file.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFiles, writeWhole } from '../../src/store/files.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const path = join(folder, 'table.csv')

test('of two writes of one file at once, each is whole, and the last one stays', async () => {
  const half = join(folder, 'table.csv.0123456789ab.tmp')
  writeFileSync(half, 'what a killed process has left')
  const pieces = (letter: string): string[] => Array.from({ length: 50 }, () => letter.repeat(1000))
  const seen = new Set<string>()
  const watch = setInterval(() => existsSync(path) && seen.add(readFileSync(path, 'utf8')))
  await Promise.all(['a', 'b', 'c'].map(async (letter) => writeFiles([[path, pieces(letter)]])))
  clearInterval(watch)
  for (const text of [...seen, readFileSync(path, 'utf8')])
    expect(text).toMatch(/^(?:a{50000}|b{50000}|c{50000})$/)
  rmSync(half)
  expect(readdirSync(folder)).toEqual(['table.csv'])
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
