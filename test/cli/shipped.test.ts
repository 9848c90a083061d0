// What the package ships is sound: sets that validate, and an example of the sandbox's config that it takes.
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadSandboxConfig } from '../../src/cli/sandbox-config.ts'
import { faultSchema } from '../../src/sandbox/faults/fault.ts'
import { projectRoot, runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const datasets = join(projectRoot, 'datasets')
const folder = temporaryFolder()

test('every set is sound, without a warning, alone and all together', async () => {
  const sets = readdirSync(datasets).filter((name) => name.endsWith('.csv'))
  expect(sets).toHaveLength(4)
  const { code, stderr } = await runProgram(['validate', ...sets.map((name) => join(datasets, name))], {
    cwd: folder,
  })
  expect(code, stderr).toBe(0)
  expect(stderr).not.toMatch(/^Note:/m)
})

test('the example of a sandbox config is taken, and names every kind of fault', () => {
  const path = join(datasets, 'sandbox.yaml')
  expect(loadSandboxConfig(path).rateLimit?.rules).toHaveLength(2)
  const text = readFileSync(path, 'utf8')
  expect(parse(text)).toHaveProperty('faults')
  const kinds = faultSchema.options.flatMap((option) => {
    const { shape } = option as { shape: { kind: { values: Set<string> } } }
    return [...shape.kind.values]
  })
  expect(kinds).toHaveLength(14)
  expect(kinds.filter((kind) => !text.includes(kind))).toEqual([])
})

test('the built program asks for no package that an installation of it does not bring', () => {
  const built = join(projectRoot, 'dist/cli')
  const files = readdirSync(built)
  const asked = files.flatMap((name) => {
    const { module } = parseSync(name, readFileSync(join(built, name), 'utf8'))
    return module.staticImports.map((one) => one.moduleRequest.value)
  })
  const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(files).toContain('main.js')
  const packages = new Set(asked.filter((name) => !name.startsWith('.') && !isBuiltin(name)))
  expect([...packages].sort()).toEqual(Object.keys(dependencies).sort())
})
