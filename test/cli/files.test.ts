// Whole files: what a killed process left of one goes when it is written again, and nothing else does.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeWhole } from '../../src/cli/files.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const at = (name: string): string => join(folder, name)

test('temporary files of dead processes go, and old ones whose number another process has now', () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version'])
  const alive = process.ppid
  const old = ['table.csv.1.tmp', `old.csv.${alive}.tmp`]
  const stays = [
    'notes.tmp',
    'table.csv',
    'table.csv..tmp',
    'table.csv.0.tmp',
    'table.csv.x1.tmp',
    `table.csv.${alive}.tmp`,
    `other.csv.${dead}.tmp`,
    `a.table.csv.${dead}.tmp`,
    `old.csv.${alive}.tmp`,
  ]
  for (const name of [...stays, ...old, `table.csv.${dead}.tmp`]) writeFileSync(at(name), 'half')
  const hourAgo = Date.now() / 1000 - 3600
  for (const name of old) utimesSync(at(name), hourAgo, hourAgo)
  writeWhole(at('table.csv'), ['whole'])
  expect(readFileSync(at('table.csv'), 'utf8')).toBe('whole')
  expect(readdirSync(folder).toSorted()).toEqual(stays.toSorted())
  writeWhole(at('old.csv'), ['whole'])
  expect(readdirSync(folder)).not.toContain(`old.csv.${alive}.tmp`)
})
