// Protects the JSON Schemas: they agree with what the program reads and writes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/cli/written.ts'
import { exampleOf, isFlag, isList, optionEntries } from '../../src/options/table.ts'
import { asTyped } from '../../src/options/faults.ts'
import { run } from '../../src/library/index.ts'
import { projectRoot } from '../support/program.ts'
import { fileInPage } from '../support/readme-blocks.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
/** Compiles a schema. The returned function lists the errors of a value. */
function compile(name: string): (value: unknown) => unknown[] {
  const schema = JSON.parse(readFileSync(join(projectRoot, `schemas/${name}.schema.json`), 'utf8')) as object
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}
const faultsOfConfig = compile('config')

async function isTaken(text: string): Promise<boolean> {
  const path = join(folder, 'config.yaml')
  writeFileSync(path, text)
  return loadConfig(path).then(
    () => true,
    () => false,
  )
}

describe('the schema of the config file', () => {
  const inFile = optionEntries.filter(([, { config }]) => config !== undefined)

  /** The example of help as a value of the config file. */
  const valueOf = (name: string, option: (typeof optionEntries)[number][1]): unknown => {
    const example = exampleOf(name, option)
    if (isFlag(option)) return true
    const values = [...example.matchAll(new RegExp(`${asTyped(name)} ('[^']*'|\\S+)`, 'g'))].map(([, one]) =>
      (one ?? '').replaceAll("'", ''),
    )
    return isList(option) ? values : values[0]
  }

  test.each(inFile)('accepts %s, as the program does', async (name, option) => {
    const { config } = option
    const settings = { [name]: valueOf(name, option) }
    const values = config === 'target' ? [settings, { targets: { one: settings } }] : [settings]
    for (const value of values) {
      expect(faultsOfConfig(value), JSON.stringify(value)).toEqual([])
      expect(await isTaken(JSON.stringify(value)), JSON.stringify(value)).toBe(true)
    }
  })

  test('accepts the example of the guide', () => {
    const text = fileInPage(
      'docs/guides/config-file.md',
      'yaml-language-server: $schema=./node_modules/assist-harness/schemas/config.schema.json',
    )
    expect(faultsOfConfig(parse(text))).toEqual([])
  })

  test.each([
    { ratte: '5/s' },
    { targets: { one: { datasets: ['questions.csv'] } } },
    { config: 'other.yaml' },
    { onAmbiguous: 'ask' },
    { sandbox: 'yes' },
    { rate: ['5/s'] },
    { timeout: {} },
    { targets: 'production' },
    { targets: { a: { sandbox: true } } },
    { targets: { '../up': {} } },
  ])('rejects %j, as the program does', async (value) => {
    expect(faultsOfConfig(value)).not.toEqual([])
    expect(await isTaken(JSON.stringify(value))).toBe(false)
  })

  test('never rejects what the program accepts', async () => {
    const inOrder = fc.constantFrom(...'0159.,%/: -smhinautoSMH'.split(''))
    const value = fc.oneof(
      fc.string({ unit: inOrder, maxLength: 8 }),
      fc.double({ noNaN: true, min: 1e-6, max: 1e9 }),
      fc.nat(),
    )
    const names = inFile.filter(([, option]) => !isFlag(option)).map(([name]) => name)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), value, async (name, one) => {
        const written = { [name]: one }
        if (await isTaken(JSON.stringify(written))) expect(faultsOfConfig(written)).toEqual([])
      }),
      { numRuns: 400 },
    )
  })
})

test("the schema of the sandbox's config accepts the shipped example and rejects an unknown key", () => {
  const text = readFileSync(join(projectRoot, 'datasets/sandbox.yaml'), 'utf8')
  const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text) ?? []
  expect(readFileSync(join(projectRoot, 'datasets', path), 'utf8')).toContain('sandbox')
  const faultsOf = compile('sandbox')
  expect(faultsOf(parse(text) ?? {})).toEqual([])
  expect(faultsOf({ rateLimits: {} })).not.toEqual([])
})

describe('the schemas of results', async () => {
  const asked = { datasets: ['datasets/regression.csv'], rate: 'unlimited', sample: 12, seed: 3, quota: 1000 }
  // Limits and faults fill parts of a summary that are empty otherwise.
  const rateLimit = { rules: [{ kind: 'fixed-window' as const, limit: 12, window: '300ms' }] }
  const first = await run({ ...asked, repeat: 2, sandbox: { rateLimit }, out: join(folder, 'first') })
  const second = await run({ ...asked, sandbox: true, baseline: first.folder, out: join(folder, 'second') })

  const faultsOf = compile('summary')

  test.each([first, second])(
    'summary.json of a run of the sandbox matches its schema: $folder',
    ({ folder: path }) => {
      const value = JSON.parse(readFileSync(join(path, 'summary.json'), 'utf8')) as object
      expect(faultsOf(value)).toEqual([])
      // A later version may add fields; present fields must stay, with their types.
      expect(faultsOf({ ...value, addedLater: 1 })).toEqual([])
      expect(faultsOf({ ...value, verdict: 'good' })).not.toEqual([])
      const { exitCode: _, ...lacking } = value as { exitCode: number }
      expect(faultsOf(lacking)).not.toEqual([])
    },
  )
})
