// Protects the choice of targets, whose calls must not go to another desk, the end of a job, and targets from each other:
// one whose session throws ends alone.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Ports, realPorts, run, type RunOptions, runTargets } from '../../src/library/index.ts'
import { readJob } from '../../src/library/job.ts'
import { openEndpoint } from '../support/endpoint.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const set = join(folder, 'set.csv')
writeFileSync(set, 'message\nHow?\n')
const KEYS = { KEY_A: 'key-of-desk-a-0123456789', KEY_B: 'key-of-desk-b-0123456789' }

test('a resume sends the key of a target to its recorded desk alone', async () => {
  const [desk, other] = [await openEndpoint(), await openEndpoint()]
  const env = { ...KEYS, ASSIST_BASE_URL: other.url }
  const out = join(folder, 'resumed')
  const target = { name: 'a', baseUrl: desk.url, apiKeyEnv: 'KEY_A' }
  const first = { datasets: [set], targets: [target], out, maxCalls: 1, repeat: 2 }
  await run(first, { ...realPorts(), env })
  const changed = { ...realPorts(), env: { ...env, KEY_A: KEYS.KEY_B } }
  const resume = async (targets: RunOptions['targets'], ports = changed) =>
    run({ resume: out, maxCalls: 9, targets }, ports)
  await expect(resume([{ name: 'a', apiKeyEnv: 'KEY_A' }])).rejects.toThrow('target a has no baseUrl')
  await expect(resume([{ ...target, baseUrl: other.url }])).rejects.toThrow('both the base URL and the key')
  expect(desk.calls).toHaveLength(1)
  await resume([target])
  expect(desk.calls).toHaveLength(2)
  expect(other.calls).toEqual([])
})

test('run sends to none of several targets, and resumes none of several runs', async () => {
  const desk = await openEndpoint()
  const targets = ['KEY_A', 'KEY_B'].map((name) => ({ name, baseUrl: desk.url, apiKeyEnv: name }))
  const out = join(folder, 'several')
  const [job, ports] = [
    { datasets: [set], targets, out },
    { ...realPorts(), env: KEYS },
  ]
  await expect(run(job, ports)).rejects.toThrow('use runTargets')
  expect(desk.calls).toEqual([])
  await runTargets({ ...job, repeat: 2, maxCalls: 1 }, ports)
  await expect(run({ resume: out, maxCalls: 9 }, ports)).rejects.toThrow('use runTargets')
  expect(desk.calls).toHaveLength(2)
})

describe('--continue', () => {
  const ports: Ports = { ...realPorts(), env: { ASSIST_API_KEY: 'job-key-0123456789' } }

  // scenarios/decisions.yaml covers other sets, and invalid.txt another --base-url.
  test('does not finish a run of another desk, nor of a set whose contents have changed', async () => {
    const [desk, other] = [await openEndpoint(), await openEndpoint()]
    const changing = join(folder, 'changing.csv')
    writeFileSync(changing, 'message\nHow?\nWhy?\n')
    const job = { datasets: [changing], out: join(folder, 'one'), continue: true }
    await run({ ...job, baseUrl: desk.url, maxCalls: 1 }, ports)
    const moved = { ...ports, env: { ...ports.env, ASSIST_BASE_URL: other.url } }
    await expect(run(job, moved)).rejects.toThrow('--base-url was')
    writeFileSync(changing, 'message\nHow?\nWhy then?\n')
    await expect(run({ ...job, baseUrl: desk.url }, ports)).rejects.toThrow('holds a run of another set')
    expect([desk.calls.length, other.calls.length]).toEqual([1, 0])
  })

  test("uses a target's own key and pace, as a start does", async () => {
    const { url, calls } = await openEndpoint()
    const targets = [{ name: 'a', baseUrl: url, apiKeyEnv: 'KEY_A', rate: '100/s' }]
    const job = { datasets: [set], targets, repeat: 2, out: join(folder, 'own'), continue: true }
    const common = { apiKeyEnv: 'KEY_B', rate: '7/s' }
    for (const maxCalls of [1, 9]) await run({ ...job, ...common, maxCalls }, { ...ports, env: KEYS })
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 2 }, () => `Bearer ${KEYS.KEY_A}`),
    )
    const recorded: unknown = JSON.parse(readFileSync(join(folder, 'own/run.json'), 'utf8'))
    expect(recorded).toMatchObject({ options: { rate: '100/s' } })
  })
})

test('what cannot be closed does not keep the rest open', async () => {
  const job = readJob('run', {}, realPorts())
  const closed: string[] = []
  job.onClose(() => void closed.push('first'))
  job.onClose(() => {
    throw new Error('the lock cannot be removed')
  })
  job.onClose(async () => void closed.push('last'))
  await expect(job.close()).rejects.toThrow('the lock cannot be removed')
  expect(closed).toEqual(['last', 'first'])
})

const twenty = join(folder, 'twenty.csv')
writeFileSync(
  twenty,
  `message\n${Array.from({ length: 20 }, (_, number) => `Question ${number}?\n`).join('')}`,
)

async function optionsFor(out: string): Promise<RunOptions> {
  const targets = [
    { name: 'one', baseUrl: (await openEndpoint()).url },
    { name: 'two', baseUrl: (await openEndpoint()).url },
  ]
  return {
    datasets: [twenty],
    targets,
    out: join(folder, out),
    rate: '50/s',
    apiKey: 'session-key-0123456789',
  }
}

const broken = (): never => {
  throw new Error('broken on purpose')
}

/** The client of the first target throws. */
function portsWith(breakClient: (client: Awaited<ReturnType<Ports['connect']>>) => typeof client): Ports {
  const real = realPorts()
  let opened = 0
  return {
    ...real,
    connect: async (options) => {
      const client = await real.connect(options)
      return (opened += 1) === 1 ? breakClient(client) : client
    },
  }
}

test.each<[string, Ports]>([
  ['its connection', portsWith(broken)],
  ['its sending', portsWith((client) => ({ ...client, send: broken }))],
])('a session that throws in %s ends with a fault, and the other goes on', async (name, ports) => {
  const results = await runTargets(await optionsFor(name), ports)
  const stops = results.map((one) => one.status === 'fulfilled' && one.value.exitCode)
  expect(stops).toEqual([5, 0])
})
