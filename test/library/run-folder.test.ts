// Protects run folders: two processes never write one at the same time, and no folder with other files is used.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { holderOf, lockFolder } from '../../src/library/lock.ts'
import { rejectTaken } from '../../src/library/run-folder.ts'
import { temporaryPaths } from '../support/temporary.ts'

const newPath = temporaryPaths()
const newFolder = (): string => mkdirSync(newPath(), { recursive: true }) ?? ''
/** A process id that no process has. */
const DEAD = 2 ** 22 + 1
const lockOf = (pid: number, host = hostname()): string => JSON.stringify({ pid, host })

test.each<[string, string, RegExp | undefined]>([
  ['of a dead process is taken over and released', lockOf(DEAD), undefined],
  ['that is torn belongs to no process', '{"pid":', undefined],
  ['of a living process is respected', lockOf(process.ppid), / written by process \d+: wait for it/],
  [
    'of another machine is respected, because its process may be alive',
    lockOf(DEAD, 'elsewhere'),
    /process \d+ on elsewhere \(if it is gone, delete .*lock\)/,
  ],
])('a lock %s', (_, content, rejected) => {
  const path = newFolder()
  writeFileSync(join(path, 'lock'), content)
  if (rejected !== undefined) expect(() => lockFolder(path)).toThrow(rejected)
  else lockFolder(path)()
  expect(readdirSync(path)).toEqual(rejected === undefined ? [] : ['lock'])
})

test('this process can take the lock once, and may read its own folder', () => {
  const path = newFolder()
  const unlock = lockFolder(path)
  expect(readdirSync(path)).toEqual(['lock'])
  expect(() => lockFolder(path)).toThrow('another run of this process')
  expect(holderOf(path)).toBeUndefined()
  unlock()
  lockFolder(path)()
})

const LEFT = ['lock', 'lock.4711.1', 'run.json.tmp', 'run.json.4711.tmp']

test.each<[string, readonly string[], RegExp | undefined]>([
  ['files that a killed start has left', LEFT, undefined],
  [
    'the same files of several targets',
    ['production/lock', 'production/run.json.tmp', 'staging/'],
    undefined,
  ],
  ['a run', [...LEFT, 'run.json'], /already holds a run/],
  ['a run of several targets', ['production/run.json'], /is not empty/],
  ['a journal', ['journal.ndjson'], /is not empty/],
  ['another file', [...LEFT, 'notes.txt'], /is not empty/],
  ['another file in a subfolder', ['lock', 'mine/notes.txt'], /is not empty/],
])('--out with %s', (_, names, rejected) => {
  const out = newFolder()
  for (const name of names) {
    mkdirSync(dirname(join(out, `${name}.`)), { recursive: true })
    if (!name.endsWith('/')) writeFileSync(join(out, name), '')
  }
  if (rejected === undefined) expect(() => rejectTaken(out)).not.toThrow()
  else expect(() => rejectTaken(out)).toThrow(rejected)
})
