// Reports into a folder that may not be written: what is said of what stands, and what fixes it.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { main, runProgram, wordsOf } from '../support/program.ts'
import { openWorkplace } from '../support/workplace.ts'

const { folder, at, read, type } = openWorkplace({ 'set.csv': 'message\nHow do I reset my password?\n' })
const NAMES = ['run', 'load', 'search']

// Root may write everywhere: there, the program runs as nobody.
const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
const canRun = spawnSync(process.execPath, [main, '--version'], { cwd: '/', ...user }).status === 0
if (!canRun)
  console.log('Nobody can run the program here: the tests of folders without permission are skipped')

const typeForbidden = async (line: string) => runProgram(wordsOf(line), { cwd: folder, ...user })

beforeAll(async () => {
  const begun = await Promise.all(
    [
      'run set.csv --sandbox --out run',
      'load set.csv --sandbox --arrival-rate 2/s --duration 1s --out load',
      'load set.csv --sandbox --find-limit --max-calls 20 --out search',
    ].map(async (line) => type(line)),
  )
  expect(begun.map(({ code }) => code)).toEqual([0, 0, expect.any(Number)])
  cpSync(at('run'), at('other'), { recursive: true })
  mkdirSync(at('closed'))
}, 60_000)

describe.skipIf(!canRun || process.platform === 'win32')('without permission', () => {
  beforeAll(() => {
    const modeOf = (mode: number): void => {
      for (const name of [...NAMES, 'closed', '.']) chmodSync(at(name), mode)
    }
    modeOf(0o555)
    return () => modeOf(0o755)
  })

  test.each(NAMES)('the reports of a %s say so, and what to do', async (name) => {
    const journal = read(name, 'journal.ndjson')
    const { code, screen } = await typeForbidden(`report ${name}`)
    expect(code, screen).toBe(4)
    expect(screen).toMatch(/^The reports cannot be written: EACCES: permission denied/m)
    expect(screen).toContain(`Fix that, then run: npx assist-harness report ${name}\n`)
    expect(read(name, 'journal.ndjson')).toBe(journal)
  })

  test.each(['history .', 'compare run other --out closed'])('%s names another folder', async (line) => {
    const { code, screen } = await typeForbidden(line)
    expect(code).toBe(2)
    expect(screen).toMatch(/cannot be written \(EACCES.*name another folder with --out/)
  })
})
