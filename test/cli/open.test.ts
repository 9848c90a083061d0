// Protects `--open`, with a script of the test as the system's opener.
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordedFolder } from '../recorded/cases.ts'
import { splitWords } from '../support/program.ts'
import { runResident } from '../support/resident.ts'
import { openWorkspace } from '../support/workspace.ts'

const { folder, at, has, put, read } = openWorkspace()
/** Only the opener's folder is on the PATH. */
const run = async (line: string) => runResident(splitWords(line), { cwd: folder, env: { PATH: 'bin' } })
const opened = (): string[] => (has('opened') ? read('opened').trim().split('\n') : [])

describe.skipIf(process.platform === 'win32')('--open', () => {
  test('opens the written page, also from the config file; stdout holds only the JSON', async () => {
    for (const name of ['open', 'xdg-open'])
      chmodSync(at(put(`bin/${name}`, `#!/bin/sh\necho "$1" >> '${at('opened')}'\n`)), 0o755)
    put('set.csv', 'message\nHow?\n')
    put('opening.yaml', 'open: true\n')
    const { code, stdout, stderr } = await run('run set.csv --sandbox --json --config opening.yaml --out one')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'done' })
    cpSync(join(recordedFolder, 'compared'), at('two'), { recursive: true })
    await run('report two/candidate')
    await run('compare two/baseline two/candidate --out compared --open')
    await run('report two/candidate --open')
    const pages = ['one/report.html', 'compared/report.html', 'two/candidate/report.html']
    await expect.poll(() => opened().toSorted()).toEqual(pages.map((page) => at(page)).toSorted())
  })

  test('a page that cannot be opened is a note and does not change the exit code', async () => {
    rmSync(at('bin'), { recursive: true })
    const { code, stderr } = await run('compare two/baseline two/again --out compared --open')
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^Note: compared\/report\.html cannot be opened here \(.*ENOENT\)\n$/)
  })
})
