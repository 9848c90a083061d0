// A run in parts that are joined again comes to what one process comes to, on every shipped set and on some that no one here wrote.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIPPED_KNOWLEDGE_BASE } from '../../src/cli/shipped.ts'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts'
import { projectRoot, readSummary, runProgram } from '../support/program.ts'
import {
  askParts,
  askWords,
  comparableRows,
  comparableSummary,
  partFolders,
  type Asking,
} from '../support/shards.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const datasets = join(projectRoot, 'datasets')
const shared = join(projectRoot, '../shared/data')
const shipped = readdirSync(datasets).filter((name) => name.endsWith('.csv'))

interface Case {
  readonly name: string
  readonly path: string
  readonly of: number
  readonly more?: readonly string[]
}

const cases: readonly Case[] = [
  ...shipped.map((name) => ({ name: `${name} in 3 parts`, path: join(datasets, name), of: 3 })),
  { name: 'quickstart in one part', path: join(datasets, 'quickstart.csv'), of: 1 },
  {
    name: 'more parts than threads',
    path: join(datasets, 'quickstart.csv'),
    of: 6,
    more: ['--sample', '3'],
  },
  {
    name: 'regression with repeats and gates',
    path: join(datasets, 'regression.csv'),
    of: 3,
    more: ['--repeat', '2', '--threshold', 'coverage>=10%', '--allow-errors', '50%', '--quota', '10000'],
  },
  {
    name: 'two sets, some of them by tag',
    path: join(datasets, 'quickstart.csv'),
    of: 2,
    more: [join(datasets, 'follow-ups.csv'), '--grep', 'the'],
  },
  { name: 'TREC CAsT 2019 in 3 parts', path: join(shared, 'trec-cast-2019.csv'), of: 3 },
]

/** Faults that depend on the question alone, whoever asks it and when. */
const config = sandboxConfigSchema.parse({
  faults: [
    { kind: 'server-error', when: { message: 'holiday|laptop' }, stage: 'after' },
    { kind: 'refusal', when: { message: 'printer' }, status: 413 },
    { kind: 'fresh-conversation', when: { message: 'vpn' } },
    { kind: 'unknown-status', when: { message: 'parking' } },
  ],
})

let whole: RunningSandbox
let parts: RunningSandbox
beforeAll(async () => {
  whole = await startSandbox({ knowledgeBase: SHIPPED_KNOWLEDGE_BASE, config })
  parts = await startSandbox({ knowledgeBase: SHIPPED_KNOWLEDGE_BASE, config })
})
afterAll(async () => Promise.all([whole.close(), parts.close()]))

async function countedBy({ url, adminKey }: RunningSandbox): Promise<number> {
  const response = await fetch(`${url}/sandbox/usage`, { headers: { authorization: `Bearer ${adminKey}` } })
  return ((await response.json()) as { total: { counted: number } }).total.counted
}

const asking = ({ path, more = [] }: Case, { url, apiKey }: RunningSandbox): Asking => ({
  set: path,
  url,
  env: { ASSIST_API_KEY: apiKey },
  cwd: folder,
  more: ['--organization', 'acme', ...more],
})

/** What a set without an error would not show. */
const faulty = new Set<string>()
afterAll(() => expect(faulty.size).toBeGreaterThan(shipped.length))

test('every shipped set is among them', () => {
  expect(shipped.length).toBeGreaterThan(3)
})

test.each(cases)('$name', { timeout: 180_000 }, async (one) => {
  if (!existsSync(one.path)) {
    console.warn(`skipped: ${one.path} is not here; it lies outside the project`)
    return
  }
  const name = one.name.replaceAll(/\W+/g, '-')
  const [single, joined] = [join(folder, `${name}-single`), join(folder, `${name}-joined`)]
  const before = [await countedBy(whole), await countedBy(parts)]
  const alone = await runProgram(askWords(asking(one, whole), single), {
    cwd: folder,
    env: { ASSIST_API_KEY: whole.apiKey },
  })
  const ended = await askParts(asking(one, parts), one.of, join(folder, name))
  for (const { code, stderr } of ended) expect([0, 1], stderr).toContain(code)
  const verdicts = partFolders(join(folder, name), one.of).map((part) => readSummary(part).verdict)
  expect(verdicts).not.toContain('passed')

  // The folders in any order.
  const words = partFolders(join(folder, name), one.of).reverse()
  const merged = await runProgram(['merge', ...words, '--out', joined], { cwd: folder })
  expect(merged.code, merged.stderr).toBe(alone.code)
  const [expected, found] = [readSummary(single), readSummary(joined)].map((summary) => {
    const { run, ...rest } = comparableSummary(summary)
    const { origin, ...whom } = run
    // Each of the two asked a sandbox of its own.
    return { ...rest, run: { ...whom, named: origin !== '' } }
  })
  expect(found).toEqual(expected)
  expect(comparableRows(joined)).toEqual(comparableRows(single))
  const { quota, errors, turns } = readSummary(joined)
  if (errors.errors > 0 && turns.contextLost + quota.possible > 0) faulty.add(one.name)
  const counted = (await countedBy(parts)) - (before[1] ?? 0)
  expect((await countedBy(whole)) - (before[0] ?? 0)).toBe(counted)
  expect(counted).toBeGreaterThanOrEqual(quota.min)
  expect(counted).toBeLessThanOrEqual(quota.max)
})
