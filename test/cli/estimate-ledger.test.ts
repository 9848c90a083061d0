// What `estimate` says against what runs then cost by the ledger: exact where nothing fails, never too low where something does.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIPPED_KNOWLEDGE_BASE } from '../../src/cli/shipped.ts'
import type { Estimate } from '../../src/domain/estimate.ts'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts'
import { projectRoot, readSummary, runProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

async function estimate(...words: readonly string[]): Promise<Estimate> {
  const { code, stdout, stderr } = await runProgram(['estimate', ...words, '--json'], { cwd: folder })
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Estimate
}

async function counted({ url, adminKey }: RunningSandbox): Promise<number> {
  const headers = { authorization: `Bearer ${adminKey}` }
  const usage = await (await fetch(`${url}/sandbox/usage`, { headers })).json()
  return (usage as { total: { counted: number } }).total.counted
}

const FAULTS = [
  { kind: 'server-error', when: { rate: 0.12 }, stage: 'after' },
  { kind: 'server-error', when: { rate: 0.05 }, stage: 'before' },
  { kind: 'reset', when: { rate: 0.08 } },
  { kind: 'truncated', when: { rate: 0.05 } },
  { kind: 'not-json', when: { rate: 0.03 } },
  { kind: 'refusal', when: { rate: 0.05 }, status: 429 },
  { kind: 'fresh-conversation', when: { rate: 0.05 } },
]
let sound: RunningSandbox
let faulty: RunningSandbox
beforeAll(async () => {
  sound = await startSandbox({ knowledgeBase: SHIPPED_KNOWLEDGE_BASE })
  const config = sandboxConfigSchema.parse({ faults: FAULTS })
  faulty = await startSandbox({ knowledgeBase: SHIPPED_KNOWLEDGE_BASE, config })
})
afterAll(async () => Promise.all([sound.close(), faulty.close()]))

const shipped = readdirSync(join(projectRoot, 'datasets'))
  .filter((name) => name.endsWith('.csv'))
  .map((name) => join(projectRoot, 'datasets', name))

let runs = 0
async function run(sets: readonly string[], { url, apiKey }: RunningSandbox): Promise<Ended> {
  const words = ['--base-url', url, '--rate', 'unlimited', '--out', join(folder, `run-${(runs += 1)}`)]
  return runProgram(['run', ...sets, ...words], { cwd: folder, env: { ASSIST_API_KEY: apiKey } })
}

test('of every shipped set the base is what the ledger counts, exactly', async () => {
  const { files, calls } = await estimate(...shipped)
  expect(files.map(({ path }) => path)).toEqual(shipped)
  for (const { path, calls: own } of files) {
    const before = await counted(sound)
    const { stderr } = await run([path], sound)
    expect([path, (await counted(sound)) - before], stderr).toEqual([path, own.base])
    expect(stderr).toContain(`Calls  ${own.base} if nothing fails`)
  }
  expect(calls.base).toBe(files.reduce((sum, { calls: own }) => sum + own.base, 0))
}, 120_000)

test('with faults, and with what must pass and has not, the ledger stays within the worst case', async () => {
  const sets = shipped.filter((path) => /quickstart|regression/.test(path))
  const { calls } = await estimate(...sets)
  const { stderr } = await run(sets, faulty)
  const cost = await counted(faulty)
  expect(cost, stderr).toBeLessThanOrEqual(calls.worst)
  // Something happened: a run that cost its base would prove nothing.
  expect(cost, stderr).toBeGreaterThan(calls.base)
  const { quota } = readSummary(join(folder, `run-${runs}`))
  expect(quota.possible).toBeGreaterThan(2)
  expect(cost).toBeGreaterThanOrEqual(quota.min)
  expect(cost).toBeLessThanOrEqual(quota.max)
}, 120_000)
