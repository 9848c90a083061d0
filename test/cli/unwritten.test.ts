// Reports into a folder that may not be written: what is said of what stands, and what mends it.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
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
    const { code, screen } = await goForbidden('report', name)
    expect(code, screen).toBe(4)
    expect(screen).toMatch(/^The reports cannot be written: EACCES: permission denied/m)
    expect(screen).toContain(`Fix that, then run: npx assist-harness report ${name}\n`)
    expect(readFileSync(join(folder, name, 'journal.ndjson'), 'utf8')).toBe(journal)
  })

  test.each([[['history', '.']], [['compare', 'run', 'other', '--out', 'closed']]])(
    '%j names another folder',
    async (words) => {
      const { code, screen } = await goForbidden(...words)
      expect([code, screen]).toEqual([
        2,
        expect.stringMatching(/cannot be written \(EACCES.*name another folder with --out/),
      ])
    },
  )
})
