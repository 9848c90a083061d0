// The JSON Schemas against what the program really reads and writes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type * as z from 'zod'
import { loadConfig } from '../../src/cli/config.ts'
import { wordsOfChoice } from '../../src/cli/options/choice.ts'
import { formOf } from '../../src/cli/options/form.ts'
import { optionEntries, toCamelCase } from '../../src/cli/options/run-options.ts'
import type * as Library from '../../src/library/index.ts'
import { projectRoot } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const validators = new Map<string, (value: unknown) => unknown[]>()
/** Of one schema, compiled once: that takes far longer than to ask it. */
function validator(name: string): (value: unknown) => unknown[] {
  const made = validators.get(name) ?? compile(name)
  validators.set(name, made)
  return made
}
function compile(name: string): (value: unknown) => unknown[] {
  const schema = JSON.parse(readFileSync(join(projectRoot, `schemas/${name}.schema.json`), 'utf8')) as object
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}
const faultsOfConfig = validator('config')

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

  /** What help gives as an example, as a config file would have it. */
  const exampleOf = (name: string, example: string, kind: string): unknown => {
    if (kind === 'flag') return true
    const values = [...example.matchAll(new RegExp(`--${name} ('[^']*'|\\S+)`, 'g'))].map(([, one]) =>
      (one ?? '').replaceAll("'", ''),
    )
    return kind === 'list' ? values : values[0]
  }

  test.each(inFile)('takes %s, as the program does', async (name, { example, kind, config }) => {
    const settings = { [toCamelCase(name)]: exampleOf(name, example, kind) }
    const values = config === 'target' ? [settings, { targets: { one: settings } }] : [settings]
    for (const value of values) {
      expect(faultsOfConfig(value), JSON.stringify(value)).toEqual([])
      expect(await isTaken(JSON.stringify(value)), JSON.stringify(value)).toBe(true)
    }
  })

  test("takes the README's example", () => {
    const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
    const examples = [...readme.matchAll(/^```yaml\n([^]*?)^```$/gm)]
      .map(([, text]) => text ?? '')
      .filter((text) => text.includes('# assist-harness.yaml\n'))
    expect(examples.length).toBeGreaterThan(0)
    for (const text of examples) {
      expect(text.split('\n')[0]).toMatch(/^# yaml-language-server: \$schema=\S+\.schema\.json$/)
      expect(faultsOfConfig(parse(text))).toEqual([])
    }
  })

  const TIMES = [
    '30s',
    ' 2m ',
    '1.5 h',
    '500ms',
    30,
    '30',
    '0s',
    '30S',
    '-5s',
    '1d',
    's',
    '596h',
    '596.5h',
    '9999h',
  ]
  const RATES = ['5/s', '60 / MIN', '1000/hour', '5/parsec', '0/s', '0.5/s', '-3/s', '-3', 5, '5']
  const COUNTS = [1, 20, '20', '007', 0, -1, 1.5, '1.5', 1e15, 'many', true, [5]]
  /** Of each form of a value, what may stand in the file and what may not. */
  const VALUES: Readonly<Record<string, readonly unknown[]>> = {
    timeout: TIMES,
    duration: TIMES,
    maxRate: [...RATES, 'auto'],
    rate: [...RATES, 'auto', 'Unlimited', 'fast'],
    arrivalRate: [...RATES, '0.0/S', '0/ 5'],
    stages: [
      '30s:5/s',
      '30s:5/s, 1m:5/s',
      ['30s:5/S', '1m : 0/s'],
      '30s:5/s,',
      '30s',
      '30s:5',
      '30:5/s',
      [],
      [''],
    ],
    thinkTime: [
      '2s',
      'Uniform:1s:5s',
      'lognormal : 3s : 10s',
      0,
      2,
      'uniform:1s',
      'constant:2s',
      'normal:1s:2s',
    ],
    concurrency: ['auto', 'Auto', 8, '8', 0, '0', 1024, '1024', 1025, '1025', '-1', 'all'],
    maxCalls: COUNTS,
    maxInFlight: [...COUNTS, 10_000, '10000', 10_001, '10001'],
    users: [...COUNTS, 10_001, '10001'],
    seed: [0, 7, '7', 1e9, -1, 1.5],
    shard: ['2/4', ' 2 / 4 ', '0/4', '0/0', '2', 2, '2/4/6'],
    share: [0.5, '0.5', '.5', 1, '1', 0, '0', 1.5, '1.5', 1e-7, '50%'],
    alpha: [0.05, '0.05', 0, '0', 1, '1', '1.5', 1e-7, '5%'],
    margin: [0, 2, '2', '2 %', '0.5%', '100', 101, '101', '100.5 %', 1e-7, '-1', '.5'],
    minOverlap: ['80%', '0.8', 0.8, 0, 80, '80', '100 %', '101%', 1e-7, '-1%'],
    apiKeyEnv: ['ASSIST_KEY', ' ASSIST_KEY ', 'a key', '5KEY', 5, ''],
    onAmbiguous: ['restart', ' Restart ', 'ask', 5, ''],
    format: ['native', 'NATIVE', 'excel'],
    baseUrl: ['https://a.example.com', 5, '', ' ', true, {}],
    target: ['a', ['a', 5], [], [''], ' '],
    tag: ['vpn', ['vpn', 5], [], [''], ' ', [['vpn']]],
    groundedSources: ['A', 'A, B', ['A', 'B,C'], [], 'A,,B', ' ', ['A', ''], 5],
    failOn: ['none', 'Grounding, errors', ['grounding', 'latency'], [], 'grounding,', 'colour', 5],
    threshold: ['coverage>=80%', ['coverage>=80%'], [], 5],
    repeat: [1, 3, '3', 999_999_999_999_999, 0, 1e15, '1000000000000000', 2.5, 'three'],
    grep: ['vpn', 5, ['vpn']],
    sandbox: [true, false, 'yes', 1],
    targets: [
      {},
      { a: null },
      'production',
      ['a'],
      { '../up': {} },
      { a: { sandbox: true } },
      { a: { rate: 5 } },
    ],
    ratte: ['5/s'],
    config: ['other.yaml'],
  }

  test.each(Object.entries(VALUES))('takes and refuses of %s what the program does', async (name, values) => {
    for (const one of [null, ...values]) {
      const text = JSON.stringify({ [name]: one })
      expect([text, faultsOfConfig({ [name]: one }).length === 0]).toEqual([text, await isTaken(text)])
    }
  })

  test('all forms are among those values, and each is once taken and once refused', async () => {
    const forms = new Map(inFile.map(([name, { value }]) => [value, toCamelCase(name)]))
    const named = new Set(
      inFile.filter(([name]) => toCamelCase(name) in VALUES).map(([, { value }]) => value),
    )
    const isOfOwn = (value: z.ZodType): boolean =>
      formOf(value) !== undefined && wordsOfChoice(value) === undefined
    expect(
      [...forms].filter(([value]) => isOfOwn(value) && !named.has(value)).map(([, name]) => name),
    ).toEqual([])
    for (const [name, values] of Object.entries(VALUES)) {
      const found = new Set(values.map((one) => faultsOfConfig({ [name]: one }).length === 0))
      expect([name, found.has(false)]).toEqual([name, true])
    }
  })

  test.each(['', '# all of it\n', 'targets:\n', '[]', 'rate', 'targets: 5'])(
    'takes or refuses the file %j as the program does',
    async (text) => {
      expect(faultsOfConfig(parse(text)).length === 0).toBe(await isTaken(text))
    },
  )

  test('agrees with the program about numbers, bare and quoted, in every unit', async () => {
    const names = ['concurrency', 'maxCalls', 'maxInFlight', 'users', 'seed', 'quota', 'sample']
    names.push('share', 'alpha', 'margin', 'minOverlap', 'rate', 'maxRate', 'arrivalRate')
    names.push('timeout', 'duration', 'giveUpAfter', 'stages')
    const known = inFile.map(([name]) => toCamelCase(name))
    expect(names.filter((name) => !known.includes(name))).toEqual([])
    const number = fc.oneof(
      fc.constantFrom(0, 1, 100, 596, 1024, 10_000, 35_760, 2_145_600, 2_145_600_000),
      fc.integer({ min: -3, max: 1100 }),
      fc.integer({ min: 1, max: 9_999_999 }).map((one) => one / 1000),
    )
    const unit = fc.constantFrom('', '%', ' %', 'ms', 's', ' min', 'm', 'h', '/s', '/min', '/h', 's:5/s')
    const written = fc.tuple(number, fc.constantFrom(-1, 0, 1), unit, fc.boolean())
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), written, async (name, [one, more, of, isBare]) => {
        const value = { [name]: isBare ? one + more : `${one + more}${of}` }
        const text = JSON.stringify(value)
        expect([text, faultsOfConfig(value).length === 0]).toEqual([text, await isTaken(text)])
      }),
      { numRuns: 3000 },
    )
  })

  // A pattern knows no order of numbers, and not which figures there are.
  test.each([
    { shard: '5/4' },
    { threshold: 'coverage>>80%' },
    { grep: '(' },
    { thinkTime: 'uniform:5s:1s' },
    { failOn: 'none,grounding' },
  ])('the program refuses %j, though a schema may take it', async (value) => {
    expect(await isTaken(JSON.stringify(value))).toBe(false)
  })

  test('never refuses what the program takes', async () => {
    const inOrder = fc.constantFrom(...'0159.,%/: -smhinautoSMH'.split(''))
    const value = fc.oneof(
      fc.string({ unit: inOrder, maxLength: 8 }),
      fc.double({ noNaN: true, min: 1e-6, max: 1e9 }),
      fc.nat(),
    )
    const names = inFile.filter(([, { kind }]) => kind !== 'flag').map(([name]) => toCamelCase(name))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), value, async (name, one) => {
        const written = { [name]: one }
        if (await isTaken(JSON.stringify(written))) expect(faultsOfConfig(written)).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })
})

test("the schema of the sandbox's config takes the shipped example, and refuses a key that is none", () => {
  const text = readFileSync(join(projectRoot, 'datasets/sandbox.yaml'), 'utf8')
  const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text) ?? []
  expect(readFileSync(join(projectRoot, 'datasets', path), 'utf8')).toContain('sandbox')
  const faultsOf = validator('sandbox')
  expect(faultsOf(parse(text) ?? {})).toEqual([])
  expect(faultsOf({ rateLimits: {} })).not.toEqual([])
})

describe('the schemas of results', async () => {
  const entry = pathToFileURL(join(projectRoot, 'dist/cli/index.js')).href
  const { run } = (await import(entry)) as typeof Library
  const asked = { datasets: ['datasets/regression.csv'], rate: 'unlimited', sample: 12, seed: 3, quota: 1000 }
  // Limits and faults fill parts of a summary that stay empty on a good day.
  const rateLimit = { rules: [{ kind: 'fixed-window' as const, limit: 12, window: '300ms' }] }
  const first = await run({ ...asked, repeat: 2, sandbox: { rateLimit }, out: join(folder, 'first') })
  const second = await run({ ...asked, sandbox: true, baseline: first.folder, out: join(folder, 'second') })

  test.each([
    ['summary', join(first.folder, 'summary.json')],
    ['summary', join(second.folder, 'summary.json')],
  ])('%s: a run of the sandbox keeps it', (name, path) => {
    const value = JSON.parse(readFileSync(path, 'utf8')) as object
    expect(validator(name)(value)).toEqual([])
    // A later version may add to it; what is there must be there, and be what it is.
    expect(validator(name)({ ...value, addedLater: 1 })).toEqual([])
    expect(validator(name)({ ...value, verdict: 'good' })).not.toEqual([])
    const { exitCode: _, ...lacking } = value as { exitCode: number }
    expect(validator(name)(lacking)).not.toEqual([])
  })
})
