// Protects runs with several targets: they run concurrently, share a limiter only within an organization, and can all be resumed.
import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Summary } from '../../src/domain/summary.ts'
import { holdAnswers, openEndpoint, type TestEndpoint } from '../support/endpoint.ts'
import { openWorkspace } from '../support/workspace.ts'

const rows = Array.from({ length: 20 }, (_, place) => `Question ${place + 1}?`)
const {
  at,
  has,
  put,
  rows: rowsOf,
  runLine,
  start,
  expectExit,
} = openWorkspace(
  { 'set.csv': `message\n${rows.join('\n')}\n` },
  { KEY_A: 'key-of-a-0123456789', KEY_B: 'key-of-b-0123456789' },
)

const makeFolder = (path: string): void => void mkdirSync(at(path), { recursive: true })

test('targets run concurrently, each with its own limiter and folder', async () => {
  // The slow target answers only after the quick one has received all its calls: neither waits for the other.
  const answers = holdAnswers()
  const slow = await openEndpoint(answers.hold)
  const quick = await openEndpoint(({ number }) => {
    if (number === 20) answers.release()
  })
  put(
    'two.yaml',
    `targets:
  slow: { baseUrl: "${slow.url}", apiKeyEnv: KEY_A, rate: 20/s }
  quick: { baseUrl: "${quick.url}", apiKeyEnv: KEY_B, rate: unlimited }
`,
  )
  const words = 'run set.csv --config two.yaml --target slow --target quick --out two --json'
  const { stdout } = await expectExit(0, words)
  const [first, second] = JSON.parse(stdout) as Summary[]
  expect([first?.run.target, second?.run.target]).toEqual(['slow', 'quick'])
  // 20 calls at 19.8 per second take at least 0.96 s.
  const slowMs = Date.parse(first?.run.endedAt ?? '') - Date.parse(first?.run.startedAt ?? '')
  expect(slowMs).toBeGreaterThan(950)
  for (const name of ['slow', 'quick']) expect(rowsOf('two', name, 'results.csv')).toHaveLength(20)
  const keysOf = ({ calls }: TestEndpoint) => new Set(calls.map(({ headers }) => headers.authorization))
  expect(keysOf(slow)).toEqual(new Set(['Bearer key-of-a-0123456789']))
  expect(keysOf(quick)).toEqual(new Set(['Bearer key-of-b-0123456789']))
  await expectExit(2, 'report two')
})

test('a target gets its reports even if those of another cannot be written', async () => {
  const [one, two] = [await openEndpoint(() => makeFolder('partly/one/junit.xml')), await openEndpoint()]
  put(
    'partly.yaml',
    `sandbox: true
kb: articles
targets:
  one: { baseUrl: "${one.url}", apiKeyEnv: KEY_A }
  two: { baseUrl: "${two.url}", apiKeyEnv: KEY_B }
`,
  )
  const words = 'run set.csv --config partly.yaml --target one --target two --out partly --rate unlimited'
  const { code, screen } = await runLine(words)
  expect([code, screen]).toEqual([4, expect.stringContaining('report partly/one')])
  expect(rowsOf('partly', 'two', 'results.csv')).toHaveLength(20)
})

test('all targets have their folders for a resume when the process dies early', async () => {
  const [one, two] = [await openEndpoint(() => true), await openEndpoint(() => true)]
  put(
    'silent.yaml',
    `targets:
  one: { baseUrl: "${one.url}", apiKeyEnv: KEY_A }
  two: { baseUrl: "${two.url}", apiKeyEnv: KEY_B }
`,
  )
  const running = start('run set.csv --config silent.yaml --target one --target two --out killed')
  // The first journal opens only after both manifests are written.
  const hasJournal = (): boolean => has('killed/one/journal.ndjson')
  await expect.poll(hasJournal, { timeout: 50_000, interval: 1 }).toBe(true)
  expect(has('killed/two/run.json')).toBe(true)
  running.signal('SIGKILL')
  await running.ended
})

test('targets of one organization share one limit', async () => {
  const one = await openEndpoint()
  put(
    'acme.yaml',
    `rate: 20/s
targets:
  a: { baseUrl: "${one.url}", apiKeyEnv: KEY_A, organization: acme }
  b: { baseUrl: "${one.url}", apiKeyEnv: KEY_B, organization: acme }
`,
  )
  const started = Date.now()
  await expectExit(0, 'run set.csv --config acme.yaml --target a --target b --out shared')
  expect(one.calls).toHaveLength(40)
  // 40 calls at 19.8 per second; with separate limiters it would take half the time.
  expect(Date.now() - started).toBeGreaterThan(1950)
})

test('without --out the run folder is named by time and set', async () => {
  const { screen } = await runLine('run set.csv --sandbox --rate unlimited')
  const path = /^ {2}(reports\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-set)\/report\.html$/m.exec(screen)?.[1]
  expect(has(path ?? 'unsaid', 'summary.md')).toBe(true)
})
