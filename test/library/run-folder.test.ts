// Who may write a run folder: not two at once, and not where somebody's files are.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { holderOf, lockFolder, rejectTaken } from '../../src/library/run-folder.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
let made = 0
const newFolder = (): string => {
  const path = join(folder, `out-${(made += 1)}`)
  mkdirSync(path)
  return path
}
/** More than any process has. */
const DEAD = 2 ** 22 + 1
const lock = (path: string, pid: number, host = hostname()): void =>
  writeFileSync(join(path, 'lock'), JSON.stringify({ pid, host }))

describe('the lock', () => {
  test('that a dead process has left is taken over, and given back', () => {
    const path = newFolder()
    lock(path, DEAD)
    const unlock = lockFolder(path)
    expect(readdirSync(path)).toEqual(['lock'])
    unlock()
    expect(readdirSync(path)).toEqual([])
  })

  test('of a process that lives is respected; it names the process', () => {
    const path = newFolder()
    lock(path, process.ppid)
    expect(() => lockFolder(path)).toThrow(`is being written by process ${process.ppid}: wait for it`)
    expect(readdirSync(path)).toEqual(['lock'])
  })

  test('of another machine is respected: nobody knows whether it lives', () => {
    const path = newFolder()
    lock(path, DEAD, 'elsewhere')
    expect(() => lockFolder(path)).toThrow(/process \d+ on elsewhere \(if it is gone, delete .*lock\)/)
  })

  test('of this process is taken once; what it writes it may read', () => {
    const path = newFolder()
    const unlock = lockFolder(path)
    expect(() => lockFolder(path)).toThrow('another run of this process')
    expect(holderOf(path)).toBeUndefined()
    unlock()
    lockFolder(path)()
  })

  test('that is torn is nobody’s', () => {
    const path = newFolder()
    writeFileSync(join(path, 'lock'), '{"pid":')
    lockFolder(path)()
  })
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
