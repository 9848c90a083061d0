// Protects what the package ships: valid question sets, a valid example of the sandbox's config, complete dependencies with
// a reason for each; and that `npm run check` runs every check.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/library/sandbox.ts'
import { faultSchema } from '../../src/sandbox/faults.ts'
import { projectRoot } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const datasets = join(projectRoot, 'datasets')
const built = join(projectRoot, 'dist')
const { runLine } = openWorkspace()

test('all sets are valid together, without a warning', async () => {
  const sets = readdirSync(datasets).filter((name) => name.endsWith('.csv'))
  expect(sets).toHaveLength(4)
  const { code, stderr } = await runLine(`validate ${sets.map((name) => join(datasets, name)).join(' ')}`)
  expect(code, stderr).toBe(0)
  expect(stderr).not.toMatch(/^Note:/m)
})

test('the example of a sandbox config is valid and names every kind of fault', () => {
  const path = join(datasets, 'sandbox.yaml')
  const text = readFileSync(path, 'utf8')
  expect(readConfig(parse(text), '').rateLimit?.rules).toHaveLength(2)
  expect(parse(text)).toHaveProperty('faults')
  const kinds = faultSchema.options.flatMap((option) => {
    const { shape } = option as { shape: { kind: { values: Set<string> } } }
    return [...shape.kind.values]
  })
  expect(kinds).toHaveLength(14)
  expect(kinds.filter((kind) => !text.includes(kind))).toEqual([])
})

test('the built program imports exactly the packages that an installation brings', () => {
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  )
  expect(files).toContain(join('cli', 'main.js'))
  const asked = files.flatMap((name) => {
    const text = readFileSync(join(built, name), 'utf8')
    const { staticImports, dynamicImports } = parseSync(name, text).module
    return [
      ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...Array.from(text.matchAll(/\brequire\w*\("([^"]+)"\)/g), ([, required = '']) => required),
      ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
    ]
  })
  const packages = asked
    .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  // The page's script holds it; a dependency all the same, so that an audit sees it.
  packages.push('diff')
  expect([...new Set(packages)].sort()).toEqual(Object.keys(dependencies).sort())
})

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
