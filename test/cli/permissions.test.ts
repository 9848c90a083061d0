// Protects the error for a folder without write permission. storage.test.ts covers a full disk.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { main, runProgram, splitWords } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const { folder, at, expectExit } = openWorkspace({ 'set.csv': 'message\nHow do I reset my password?\n' })

// Root may write everywhere, so the program runs as nobody.
const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
const canRun = spawnSync(process.execPath, [main, '--version'], { cwd: '/', ...user }).status === 0
if (!canRun)
  console.log('the user nobody cannot run the program: the tests of folders without permission are skipped')

beforeAll(async () => {
  await expectExit(0, 'run set.csv --sandbox --out run')
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

  const NAME = /cannot be written \(EACCES.*name another folder with --out/
  test.each([
    ['history .', NAME],
    ['compare run other --out closed', NAME],
    ['run set.csv --sandbox --out closed/run', /cannot be created/],
  ])('%s is rejected', async (line, said) => {
    const { code, screen } = await runProgram(splitWords(line), { cwd: folder, ...user })
    expect([code, screen]).toEqual([2, expect.stringMatching(said)])
  })
})
