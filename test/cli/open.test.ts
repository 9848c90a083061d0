// Protects `--open`, with a script of the test as the system's opener.
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordedFolder } from '../recorded/cases.ts'
import { projectRoot } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

/** Only the opener's folder is on the PATH. */
const { at, has, put, read, runLine, expectExit } = openWorkspace(
  { 'opening.yaml': 'open: true\n' },
  { PATH: 'bin' },
)
const opened = (): string[] => (has('opened') ? read('opened').trim().split('\n') : [])

/** Installs the opener under its names on macOS and Linux. */
function useOpener(script: string): void {
  for (const name of ['open', 'xdg-open']) chmodSync(at(put(`bin/${name}`, `#!/bin/sh\n${script}\n`)), 0o755)
}

beforeEach(() => {
  rmSync(at('opened'), { force: true })
  useOpener(`echo "$1" >> '${at('opened')}'`)
  cpSync(join(recordedFolder, 'compared'), at('two'), { recursive: true })
})

describe.skipIf(process.platform === 'win32')('--open', () => {
  test('a run opens its written page, also from the config file, and stdout holds only the JSON', async () => {
    const set = join(projectRoot, 'datasets/quickstart.csv')
    const { stdout } = await expectExit(
      0,
      `run ${set} --sandbox --sample 2 --json --config opening.yaml --out one`,
    )
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'done' })
    await expect.poll(opened).toEqual([at('one/report.html')])
    expect(read('one/report.html')).toContain('</html>')
  })

  test.each([
    ['report two/candidate', 'two/candidate/report.html'],
    ['compare two/baseline two/candidate --out compared', 'compared/report.html'],
    ['history two', 'two/history.html'],
  ])('%s opens its page', async (line, page) => {
    await runLine('report two/candidate')
    await runLine(line)
    expect(opened()).toEqual([])
    await runLine(`${line} --open`)
    await expect.poll(opened).toEqual([at(page)])
  })

  test('a page that cannot be opened is a note and does not change the exit code', async () => {
    await runLine('report two/candidate')
    const plain = await runLine('history two')
    rmSync(at('bin'), { recursive: true })
    const none = await runLine('history two --open')
    expect(none.stderr).toMatch(/^Note: two\/history\.html cannot be opened here \(.*ENOENT\)\n$/)
    expect([none.code, none.stdout]).toEqual([plain.code, plain.stdout])
  })
})
