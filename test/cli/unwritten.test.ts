// Reports into a folder that may not be written name another one. Of a full disk: storage.test.ts.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { main, runProgram, wordsOf } from '../support/program.ts'
import { openWorkplace } from '../support/workplace.ts'

const { folder, at, exits } = openWorkplace({ 'set.csv': 'message\nHow do I reset my password?\n' })

// Root may write everywhere: there, the program runs as nobody.
const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
const canRun = spawnSync(process.execPath, [main, '--version'], { cwd: '/', ...user }).status === 0
if (!canRun)
  console.log('Nobody can run the program here: the tests of folders without permission are skipped')

const typeForbidden = async (line: string) => runProgram(wordsOf(line), { cwd: folder, ...user })

beforeAll(async () => {
  await exits(0, 'run set.csv --sandbox --out run')
  cpSync(at('run'), at('other'), { recursive: true })
  mkdirSync(at('closed'))
})

describe.skipIf(!canRun || process.platform === 'win32')('without permission', () => {
  beforeAll(() => {
    const modeOf = (mode: number): void => {
      for (const name of ['run', 'closed', '.']) chmodSync(at(name), mode)
    }
    modeOf(0o555)
    return () => modeOf(0o755)
  })

  test.each(['history .', 'compare run other --out closed'])('%s names another folder', async (line) => {
    const { code, screen } = await typeForbidden(line)
    expect(code).toBe(2)
    expect(screen).toMatch(/cannot be written \(EACCES.*name another folder with --out/)
  })
})
