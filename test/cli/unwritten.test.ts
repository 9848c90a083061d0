// Reports into a folder that may not be written: what is said of what stands, and what mends it.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Summary } from '../../src/domain/summary.ts'
import { main, runProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
writeFileSync(join(folder, 'set.csv'), 'message\nHow do I reset my password?\n')
const NAMES = ['run', 'load', 'search']

// Root may write everywhere: there, the program runs as nobody.
const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
const canRun = spawnSync(process.execPath, [main, '--version'], { cwd: '/', ...user }).status === 0
if (!canRun)
  console.log('Nobody can run the program here: the tests of folders without permission are skipped')

const go = async (...words: readonly string[]): Promise<Ended> => runProgram(words, { cwd: folder })
const goForbidden = async (...words: readonly string[]): Promise<Ended> =>
  runProgram(words, { cwd: folder, ...user })

beforeAll(async () => {
  chmodSync(folder, 0o755)
  const offer = ['--arrival-rate', '2/s', '--duration', '1s']
  const begun = await Promise.all([
    go('run', 'set.csv', '--sandbox', '--out', 'run'),
    go('load', 'set.csv', '--sandbox', ...offer, '--out', 'load'),
    go('load', 'set.csv', '--sandbox', '--find-limit', '--max-calls', '20', '--out', 'search'),
  ])
  expect(begun.map(({ code }) => code)).toEqual([0, 0, expect.any(Number)])
  cpSync(join(folder, 'run'), join(folder, 'other'), { recursive: true })
  mkdirSync(join(folder, 'closed'))
}, 60_000)

describe.skipIf(!canRun || process.platform === 'win32')('without permission', () => {
  beforeAll(() => {
    const modeOf = (mode: number): void => {
      for (const name of [...NAMES, 'closed', '.']) chmodSync(join(folder, name), mode)
    }
    modeOf(0o555)
    return () => modeOf(0o755)
  })

  test.each(NAMES)('the reports of a %s say so, and what to do', async (name) => {
    const journal = readFileSync(join(folder, name, 'journal.ndjson'), 'utf8')
    const { code, stderr } = await goForbidden('report', name)
    expect(code, stderr).toBe(4)
    expect(stderr).toMatch(/The reports could not be written \(EACCES: permission denied/)
    expect(stderr).toContain(
      `what was recorded is as it was. Make ${name} writable, or copy it and report the copy: npx assist-harness report ${name}\n`,
    )
    expect(stderr).not.toMatch(/With room again|journal cannot be written|nothing was sent|^Resume:/m)
    expect(readFileSync(join(folder, name, 'journal.ndjson'), 'utf8')).toBe(journal)
  })

  test('the verdict of a run and of a load test names the reports, not the journal', async () => {
    const run = await goForbidden('report', 'run', '--json')
    const reason = 'the reports could not be written (permission denied, EACCES)'
    expect(run.stderr).toContain(`Incomplete: every turn has an outcome, but ${reason} (exit code 4)`)
    expect(JSON.parse(run.stdout) as Summary).toMatchObject({
      state: 'complete',
      verdict: 'incomplete',
      exitCode: 4,
    })
    expect((await goForbidden('report', 'load')).stderr).toContain(reason)
  })

  test.each([
    [['history', '.'], 'the history'],
    [['history', '.', '--out', join('run', 'below')], 'the history'],
    [['compare', 'run', 'other', '--out', 'closed'], 'the comparison'],
  ])('%j says what mends it', async (words, what) => {
    const { code, stderr } = await goForbidden(...words)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${what} cannot be written (EACCES`)])
    expect(stderr).toContain('): make the folder writable, or name another folder with --out')
  })
})

test('a folder in the place of a report is told as what it is', async () => {
  cpSync(join(folder, 'run'), join(folder, 'odd'), { recursive: true })
  rmSync(join(folder, 'odd', 'report.html'))
  mkdirSync(join(folder, 'odd', 'report.html'))
  const { code, stderr } = await go('report', 'odd')
  expect([code, stderr]).toEqual([4, expect.stringMatching(/could not be written \(EISDIR.*report\.html/)])
  expect(stderr).toContain('Once that is mended: npx assist-harness report odd\n')
  expect(stderr).not.toMatch(/With room again|^Resume:/m)
})

test('a run that is not complete still says how it goes on', async () => {
  writeFileSync(join(folder, 'two.csv'), 'message\nHow do I reset my password?\nAnd the VPN?\n')
  const begun = await go('run', 'two.csv', '--sandbox', '--max-calls', '1', '--out', 'begun')
  expect(begun.code, begun.stderr).toBe(4)
  rmSync(join(folder, 'begun', 'report.html'))
  mkdirSync(join(folder, 'begun', 'report.html'))
  const { code, stderr } = await go('report', 'begun')
  expect([code, stderr]).toEqual([4, expect.stringContaining('the call budget of 1 is used up')])
  expect(stderr).toMatch(/^Resume: {2}npx assist-harness run --resume begun /m)
})

const canMount = ((): boolean => {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk], { stdio: 'ignore' })
    execFileSync('umount', [disk])
    return true
  } catch {
    return false
  }
})()

test.skipIf(!canMount)('a read-only disk is called one', async () => {
  const disk = join(folder, 'disk')
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk])
  try {
    cpSync(join(folder, 'run'), join(disk, 'run'), { recursive: true })
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const { code, stderr } = await go('report', join('disk', 'run'))
    expect([code, stderr]).toEqual([4, expect.stringContaining('(the disk is read-only, EROFS)')])
    expect(stderr).toContain('Make disk/run writable, or copy it')
    expect(stderr).not.toMatch(/^Resume:/m)
  } finally {
    execFileSync('umount', [disk])
  }
})
