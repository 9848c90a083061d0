// `--open` as people type it, with an opener of the test in place of the machine's.
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordedFolder } from '../recorded/cases.ts'
import { projectRoot } from '../support/program.ts'
import { openWorkplace } from '../support/workplace.ts'

/** The opener's folder alone is on the PATH. */
const { at, has, put, read, type, exits } = openWorkplace({ 'opening.yaml': 'open: true\n' }, { PATH: 'bin' })
const opened = (): string[] => (has('opened') ? read('opened').trim().split('\n') : [])

/** Under the names that systems give it. */
function useOpener(script: string): void {
  for (const name of ['open', 'xdg-open']) chmodSync(at(put(`bin/${name}`, `#!/bin/sh\n${script}\n`)), 0o755)
}

beforeEach(() => {
  rmSync(at('opened'), { force: true })
  useOpener(`echo "$1" >> '${at('opened')}'`)
  cpSync(join(recordedFolder, 'compared'), at('two'), { recursive: true })
})

describe.skipIf(process.platform === 'win32')('--open', () => {
  test('a run opens its page once it is written; the config file may say so; JSON stays alone on stdout', async () => {
    const set = join(projectRoot, 'datasets/quickstart.csv')
    const { stdout } = await exits(
      0,
      `run ${set} --sandbox --sample 2 --json --config opening.yaml --out one`,
    )
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'passed' })
    await expect.poll(opened).toEqual([at('one/report.html')])
    expect(read('one/report.html')).toContain('</html>')
  })

  test.each([
    ['report two/candidate', 'two/candidate/report.html'],
    ['compare two/baseline two/candidate --out compared', 'compared/report.html'],
    ['history two', 'two/history.html'],
  ])('%s opens its page', async (line, page) => {
    await type('report two/candidate')
    await type(line)
    expect(opened()).toEqual([])
    await type(`${line} --open`)
    await expect.poll(opened).toEqual([at(page)])
  })

  test('what cannot be opened is one note, and no other exit code', async () => {
    await type('report two/candidate')
    const plain = await type('history two')
    rmSync(at('bin'), { recursive: true })
    const none = await type('history two --open')
    expect(none.stderr).toMatch(/^Note: two\/history\.html cannot be opened here \(.*ENOENT\)\n$/)
    expect([none.code, none.stdout]).toEqual([plain.code, plain.stdout])
  })
})
