// Protects run folders whose process is stopped, and run folders of several targets of which one cannot be
// written.
import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const rows = Array.from({ length: 12 }, (_, number) => `q${number},Question ${number}?`)
const {
  at,
  has,
  put,
  read,
  rows: rowsOf,
  json,
  start,
  expectExit,
} = openWorkspace(
  {
    'assist-harness.yaml': 'rate: unlimited\nconcurrency: 2\n',
    'set.csv': `id,message\n${rows.join('\n')}\n`,
  },
  KEY_ENV,
)

test(
  'a stopped process is taken over; awake again, it sends and writes nothing',
  { timeout: 120_000 },
  async () => {
    const { url, calls } = await openEndpoint()
    const line = `run set.csv --base-url ${url} --out pod --continue`
    const stopped = start(`${line} --rate 3/s`)
    await expect.poll(() => calls.length, { timeout: 20_000 }).toBeGreaterThan(2)
    stopped.signal('SIGSTOP')
    // As another host wrote it: nobody here can tell that its process lives.
    const lock = json('pod/lock') as object
    writeFileSync(at('pod/lock'), JSON.stringify({ ...lock, host: 'another-pod', space: 'another' }))
    const { screen } = await expectExit(0, line)
    expect(screen).toMatch(/process \d+ on another-pod was silent for 30 s: this process takes over/)
    const state = () => [calls.length, read('pod/journal.ndjson'), read('pod/results.csv')]
    const before = state()
    stopped.signal('SIGCONT')
    const ended = await stopped.ended
    expect([ended.code, ended.screen]).toEqual([
      4,
      expect.stringContaining('another process has taken over pod: this one stopped'),
    ])
    expect(state()).toEqual(before)
    expect(has('pod/lock')).toBe(false)
  },
)

test('a target gets its reports even if those of another cannot be written', async () => {
  const taken = (): void => void mkdirSync(at('partly/one/junit.xml'), { recursive: true })
  const [one, two] = [await openEndpoint(taken), await openEndpoint()]
  put(
    'partly.yaml',
    `rate: unlimited\ntargets: { one: { baseUrl: "${one.url}" }, two: { baseUrl: "${two.url}" } }\n`,
  )
  const line = 'run set.csv --config partly.yaml --target one --target two --out partly'
  expect((await expectExit(4, line)).screen).toContain('report partly/one')
  expect(rowsOf('partly', 'two', 'results.csv')).toHaveLength(12)
})
