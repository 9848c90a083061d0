// Protects the table of packages in CONTRIBUTING.md: one reason for each package that runs, and no other. And
// `npm run check`: it runs every check.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8')

test('CONTRIBUTING.md says of every package why it was chosen', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  const [, table = ''] = read('CONTRIBUTING.md').split(/^\| package .*\n.*\n/m)
  const named = [...table.matchAll(/^\| (?<names>[^|]+?) +\| \S/gm)].flatMap(
    ({ groups }) => groups?.['names']?.split(', ') ?? [],
  )
  expect(named.toSorted()).toEqual(Object.keys(dependencies).toSorted())
})

test.each([
  ['a failing one', 'exit 3', 1, /first[^]*last[^]*\nFailed: check:middle\n$/],
  ['none that fails', 'exit 0', 0, /first[^]*last[^]*\nEvery check passed\n$/],
])('npm run check with %s among the checks runs all of them', (_, middle, code, said) => {
  const folder = temporaryFolder()
  cpSync(join(projectRoot, 'src/build/check.ts'), join(folder, 'src/build/check.ts'))
  const scripts = {
    'check:first': 'echo first',
    'check:middle': middle,
    'check:last': 'echo last',
    check: 'no',
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }))
  const tsx = join(projectRoot, 'node_modules/.bin/tsx')
  const { status, stdout } = spawnSync(tsx, ['src/build/check.ts'], { cwd: folder, encoding: 'utf8' })
  expect(status).toBe(code)
  expect(stdout).toMatch(said)
})
