// Protects the table of packages in CONTRIBUTING.md: one reason for each package that runs, and no other. And
// `npm run check`: it runs every check.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../support/program.ts'

const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8')

test('CONTRIBUTING.md says of every package why it was chosen', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  const [, table = ''] = read('CONTRIBUTING.md').split(/^\| package .*\n.*\n/m)
  const named = [...table.matchAll(/^\| (?<names>[^|]+?) +\| \S/gm)].flatMap(
    ({ groups }) => groups?.['names']?.split(', ') ?? [],
  )
  expect(named.toSorted()).toEqual(Object.keys(dependencies).toSorted())
})

test('npm run check runs every check, also after one that fails', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'))
  expect(/for each in (.+?);/.exec(scripts['check'] ?? '')?.[1]?.split(' ')).toEqual(
    checks.map((name) => name.replace('check:', '')),
  )
  const run = (failing: string): number | null =>
    spawnSync('sh', ['-c', `npm() { [ "$2" != check:${failing} ]; }; ${scripts['check']}`]).status
  expect([run('lint'), run('none')]).toEqual([1, 0])
})
