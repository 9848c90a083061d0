// Protects the table of packages in CONTRIBUTING.md: one reason for each package that runs, and no other.
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
