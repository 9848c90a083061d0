// Protects run folders: two processes never write one at the same time, no folder with other files is used, and written
// files are whole or not there.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { TakenOver } from '../../src/domain/storage-error.ts'
import { writeFiles, writeWhole } from '../../src/store/files.ts'
import { findRunFolders, openNewFolder, rejectTaken } from '../../src/store/folder.ts'
import { findHolder, lockFolder } from '../../src/store/lock.ts'
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts'

const newPath = temporaryPaths()
const newFolder = (): string => mkdirSync(newPath(), { recursive: true }) ?? ''
/** A process id that no process has. */
const DEAD = 2 ** 22 + 1
const lockOf = (pid: number, host = hostname()): string => JSON.stringify({ pid, host })
const leaveLock = (path: string, content = lockOf(DEAD, 'elsewhere')): void =>
  writeFileSync(join(path, 'lock'), content)
const TIMES = { beatMs: 100, silentMs: 400, lookMs: 20 }
/** A worker that shares its core with eight processes may stand still for half a second. */
const PATIENT = { ...TIMES, silentMs: 3000 }
const silent = (): undefined => undefined

test.each<[string, content: string, rejected: RegExp | undefined, said: RegExp]>([
  ['of a dead process is taken over', lockOf(DEAD), undefined, /^$/],
  ['that is torn belongs to no process', '{"pid":', undefined, /^$/],
  ['of a living process is respected', lockOf(process.ppid), / written by process \d+: /, /^$/],
  ['of an old process id that came again is taken over', lockOf(process.ppid), undefined, /\d was silent/],
  [
    'of another host is taken over when it is silent, however new it is',
    lockOf(DEAD, 'elsewhere'),
    undefined,
    /process \d+ on elsewhere was silent for 400 ms: this process takes over/,
  ],
  [
    'of this host, but another container, is taken over when it is silent',
    JSON.stringify({ pid: process.pid, host: hostname(), space: 'another boot' }),
    undefined,
    /was silent/,
  ],
])('a lock %s', async (name, content, rejected, said) => {
  const path = newFolder()
  leaveLock(path, content)
  if (name.startsWith('of an old')) utimesSync(join(path, 'lock'), 1e9, 1e9)
  const notes: string[] = []
  const locking = lockFolder(path, (text) => notes.push(text), TIMES)
  if (rejected !== undefined) await expect(locking).rejects.toThrow(rejected)
  else (await locking).release()
  expect(readdirSync(path)).toEqual(rejected === undefined ? [] : ['lock'])
  expect(notes.join('\n')).toMatch(said)
})

test('a lock that another host renews is respected, whatever its clock says', async () => {
  const path = newFolder()
  let beat = 0
  const renew = (): void => leaveLock(path, JSON.stringify({ pid: 1, host: 'b', beat: beat++ }))
  renew()
  const timer = setInterval(renew, TIMES.beatMs)
  await expect(lockFolder(path, silent, PATIENT)).rejects.toThrow('written by process 1 on b')
  clearInterval(timer)
})

test('this process can take the lock once, renews it, and may read its own folder', async () => {
  const path = newFolder()
  const { check, release } = await lockFolder(path, silent, TIMES)
  expect(readdirSync(path)).toEqual(['lock'])
  await expect(lockFolder(path, silent)).rejects.toThrow('another run of this process')
  expect(await findHolder(path, silent)).toBeUndefined()
  await sleep(5 * TIMES.beatMs)
  check()
  release()
  ;(await lockFolder(path, silent)).release()
})

test('of two runs that start in one new folder at once, one is told of the other', async () => {
  const path = newFolder()
  const locks = await Promise.allSettled([lockFolder(path, silent), lockFolder(path, silent)])
  const rejected = locks.flatMap((lock) => (lock.status === 'rejected' ? [String(lock.reason)] : []))
  expect(rejected).toEqual([expect.stringContaining('is being written by another run of this process')])
})

test('a process whose lock was taken over learns it before its next write, and leaves the new lock alone', async () => {
  const path = newFolder()
  const { check, lost, release } = await lockFolder(path, silent, TIMES)
  leaveLock(path, lockOf(1, 'elsewhere'))
  // As a stopped process does: no timer of it runs meanwhile.
  const until = performance.now() + 3 * TIMES.beatMs
  while (performance.now() < until);
  expect(check).toThrow(TakenOver)
  expect(lost.aborted).toBe(true)
  release()
  expect(readdirSync(path)).toEqual(['lock'])
})

test('a lock that its process releases meanwhile was not silent', async () => {
  const path = newFolder()
  leaveLock(path)
  setTimeout(() => rmSync(join(path, 'lock')), TIMES.silentMs / 4)
  const notes: string[] = []
  ;(await lockFolder(path, (text) => notes.push(text), TIMES)).release()
  expect(notes).toEqual([expect.stringContaining('waiting up to 400 ms')])
})

test('runs are found at most five folders deep, and in no hidden folder', () => {
  const root = newFolder()
  for (const name of ['a/b/c/d/e', 'a/b/c/d/f/g', 'a/.trash/b', 'a/node_modules/b']) {
    mkdirSync(join(root, name), { recursive: true })
    writeFileSync(join(root, name, 'run.json'), '{}')
  }
  expect(findRunFolders(root).map(({ name }) => name)).toEqual(['a/b/c/d/e'])
})

test('of two processes that wait for one silent lock, the second finds that the first has it', async () => {
  const path = newFolder()
  leaveLock(path)
  const locking = lockFolder(path, silent, PATIENT)
  setTimeout(() => leaveLock(path, lockOf(2, 'elsewhere')), PATIENT.silentMs / 2)
  await expect(locking).rejects.toThrow('is being written by process')
})

test.each<[string, readonly string[], RegExp | undefined]>([
  ['files that a killed start has left', ['lock', 'run.json.tmp', 'run.json.0123456789ab.tmp'], undefined],
  ['such files of several targets', ['production/lock', 'production/run.json.tmp', 'staging/'], undefined],
  ['a run', ['lock', 'run.json.tmp', 'run.json'], /already holds a run/],
  ['a run of several targets', ['production/run.json'], /is not empty/],
  ['a journal', ['journal.ndjson'], /is not empty/],
  ['another file', ['lock', 'notes.txt'], /is not empty/],
  ['a file whose name begins like one of them', ['lockfile-notes.md'], /is not empty/],
  ['a file whose name ends like one of them', ['run.json.mine.tmp'], /is not empty/],
  ['a folder of nobody', ['mine/'], /is not empty/],
  ['another file in a target', ['production/lock', 'production/notes.txt'], /is not empty/],
])('--out with %s', (_, names, rejected) => {
  const out = newFolder()
  for (const name of names) {
    const isFolder = name.endsWith('/')
    mkdirSync(isFolder ? join(out, name) : dirname(join(out, name)), { recursive: true })
    if (!isFolder) writeFileSync(join(out, name), '')
  }
  const reject = (): void => rejectTaken(out, ['production', 'staging'])
  if (rejected === undefined) expect(reject).not.toThrow()
  else expect(reject).toThrow(rejected)
})

test.skipIf(process.platform === 'win32')(
  'a run folder is made for its owner alone; folders above it, and one that is there, keep their modes',
  async () => {
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
    const [above, given] = [newFolder(), newFolder()]
    chmodSync(given, 0o750)
    const runs = [join(above, 'nightly', 'monday'), given]
    for (const path of runs) (await openNewFolder(path, silent)).lock.release()
    expect(runs.map(modeOf)).toEqual(['700', '750'])
    const usual = (0o777 & ~process.umask()).toString(8)
    expect(modeOf(join(above, 'nightly'))).toBe(usual)
  },
)

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
