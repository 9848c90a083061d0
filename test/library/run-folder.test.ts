// Who may write a run folder: not two at once, and not where somebody's files are.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { holderOf, lockFolder } from '../../src/library/lock.ts'
import { rejectTaken } from '../../src/library/run-folder.ts'
import { temporaryPaths } from '../support/temporary.ts'

const newPath = temporaryPaths()
const newFolder = (): string => mkdirSync(newPath(), { recursive: true }) ?? ''
/** More than any process has. */
const DEAD = 2 ** 22 + 1
const lockOf = (pid: number, host = hostname()): string => JSON.stringify({ pid, host })

test.each<[string, string, RegExp | undefined]>([
  ['that a dead process has left is taken over, and given back', lockOf(DEAD), undefined],
  ['that is torn is nobody’s', '{"pid":', undefined],
  ['of a process that lives is respected', lockOf(process.ppid), / written by process \d+: wait for it/],
  [
    'of another machine is respected: nobody knows whether it lives',
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

test('the lock of this process is taken once; what it writes it may read', () => {
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
  ['what a killed start has left', LEFT, undefined],
  ['the same of several targets', ['production/lock', 'production/run.json.tmp', 'staging/'], undefined],
  ['a run', [...LEFT, 'run.json'], /already holds a run/],
  ['a run of several targets', ['production/run.json'], /is not empty/],
  ['a journal', ['journal.ndjson'], /is not empty/],
  ["somebody's file", [...LEFT, 'notes.txt'], /is not empty/],
  ["somebody's file, deeper", ['lock', 'mine/notes.txt'], /is not empty/],
])('--out with %s', (_, names, rejected) => {
  const out = newFolder()
  for (const name of names) {
    mkdirSync(dirname(join(out, `${name}.`)), { recursive: true })
    if (!name.endsWith('/')) writeFileSync(join(out, name), '')
  }
  if (rejected === undefined) expect(() => rejectTaken(out)).not.toThrow()
  else expect(() => rejectTaken(out)).toThrow(rejected)
})
