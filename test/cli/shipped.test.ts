// Protects what the package ships: valid question sets, a valid example of the sandbox's config, and complete dependencies.
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
const built = join(projectRoot, 'dist/cli')
const { put, runLine, expectExit } = openWorkspace()
const moduleOf = (name: string) => parseSync(name, readFileSync(join(built, name), 'utf8')).module

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

test('the built program imports only packages that an installation brings', () => {
  const files = readdirSync(built)
  const asked = files.flatMap((name) => moduleOf(name).staticImports.map((one) => one.moduleRequest.value))
  const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(files).toContain('main.js')
  const packages = new Set(asked.filter((name) => !name.startsWith('.') && !isBuiltin(name)))
  // zod is there for the type declarations: the program has it in its bundle.
  expect([...packages, 'zod'].sort()).toEqual(Object.keys(dependencies).sort())
})

test('the overview of help is printed without loading parser and schemas', () => {
  const text = readFileSync(join(built, 'main.js'), 'utf8')
  const begun = moduleOf('main.js').dynamicImports.map(({ moduleRequest }) =>
    text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
  )
  const loaded = new Set(['./main.js', ...begun])
  for (const name of loaded)
    for (const { moduleRequest } of moduleOf(name).staticImports)
      if (moduleRequest.value.startsWith('.')) loaded.add(moduleRequest.value)
  const texts = [...loaded].map((name) => readFileSync(join(built, name), 'utf8'))
  expect(texts.some((one) => one.includes('Sends your questions to an Assist endpoint'))).toBe(true)
  expect(texts.filter((one) => /\bparseArgs\b|\bZodError\b/.test(one))).toEqual([])
})

test('a shipped set is found from any folder, unless the folder has a file of that name', async () => {
  await expectExit(0, 'validate datasets/quickstart.csv')
  put('datasets/quickstart.csv', 'message\nOne?\nTwo?\n')
  const own = await runLine('validate datasets/quickstart.csv')
  expect(own.screen).toContain('2 questions in 2 conversations')
  const none = await runLine('validate datasets/../package.json')
  expect(none.stderr).toContain('no such file')
})
