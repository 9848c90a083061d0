// `--open` as people type it, with an opener of the test in place of the machine's.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordedFolder } from '../recorded/reckon.ts'
import { projectRoot, runProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const log = join(folder, 'opened')
const opened = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])

/** Alone on the PATH, under the names that systems give it. */
function useOpener(script: string): void {
  for (const name of ['open', 'xdg-open']) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
}
const program = async (...words: readonly string[]): Promise<Ended> =>
  runProgram(words, { cwd: folder, env: { PATH: join(folder, 'bin') } })

beforeEach(() => {
  rmSync(join(folder, 'bin'), { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'))
  rmSync(log, { force: true })
  useOpener(`echo "$1" >> '${log}'`)
  cpSync(join(recordedFolder, 'compared'), join(folder, 'two'), { recursive: true })
})

describe.skipIf(process.platform === 'win32')('--open', () => {
  test('a run opens its page once it is written; the config file may say so; JSON stays alone on stdout', async () => {
    writeFileSync(join(folder, 'opening.yaml'), 'open: true\n')
    const set = join(projectRoot, 'datasets/quickstart.csv')
    const run = ['run', set, '--sandbox', '--sample', '2']
    const { code, stdout, screen } = await program(
      ...run,
      '--json',
      '--config',
      'opening.yaml',
      '--out',
      'one',
    )
    expect(code, screen).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'passed' })
    expect(opened()).toEqual([join(folder, 'one/report.html')])
    expect(readFileSync(join(folder, 'one/report.html'), 'utf8')).toContain('</html>')
  })

  test.each([
    ['report', ['report', 'two/candidate'], 'two/candidate/report.html'],
    ['compare', ['compare', 'two/baseline', 'two/candidate', '--out', 'compared'], 'compared/report.html'],
  ])('%s opens its page', async (_, words, page) => {
    await program(...words)
    expect(opened()).toEqual([])
    const { screen } = await program(...words, '--open')
    expect(opened(), screen).toEqual([join(folder, page)])
  })

  test('history opens its page', async () => {
    await program('report', 'two/candidate')
    const { code, screen } = await program('history', 'two', '--open')
    expect(code, screen).toBe(0)
    expect(opened()).toEqual([join(folder, 'two/history.html')])
  })

  test('what cannot be opened is one note, and no other exit code', async () => {
    const words = ['history', 'two'] as const
    await program('report', 'two/candidate')
    const plain = await program(...words)
    useOpener('exit 3')
    const failed = await program(...words, '--open')
    expect(failed.stderr).toMatch(
      /^Note: two\/history\.html cannot be opened here \((xdg-)?open ended with 3\)\n$/,
    )
    rmSync(join(folder, 'bin'), { recursive: true })
    const none = await program(...words, '--open')
    expect(none.stderr).toMatch(/^Note: two\/history\.html cannot be opened here \(.*ENOENT\)\n$/)
    for (const { code, stdout } of [failed, none]) expect([code, stdout]).toEqual([plain.code, plain.stdout])
  })
})
