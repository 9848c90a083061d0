// Protects a run on a full disk and with a jumping clock. permissions.test.ts covers folders without write permission.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { answerJson, goodReply, openEndpoint, type Behaviour } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const rows = Array.from({ length: 60 }, (_, place) => `q${place},Question ${place}?`)
const {
  at,
  put,
  read,
  rows: rowsOf,
  summary,
  expectExit,
} = openWorkspace(
  {
    'assist-harness.yaml': 'rate: unlimited\nconcurrency: 4\n',
    'set.csv': `id,message\n${rows.join('\n')}\n`,
  },
  KEY_ENV,
)
/** Answers of 64 KiB, which soon fill a small disk. */
const long: Behaviour = (call) =>
  answerJson(call, 200, { ...goodReply(call), message: 'long answer '.repeat(5500) })
const mount = (options: string, ...more: string[]): void =>
  void execFileSync('mount', ['-o', options, ...more], { stdio: 'ignore' })
const unmount = (path: string): void => void execFileSync('umount', [path], { stdio: 'ignore' })
const isAnswered = (out: string): boolean =>
  rowsOf(out, 'results.csv').every(({ outcome }) => outcome === 'answered')

const canMount = ((): boolean => {
  mkdirSync(at('probe'))
  try {
    mount('size=64k', '-t', 'tmpfs', 'tmpfs', at('probe'))
    unmount(at('probe'))
    return true
  } catch {
    return false
  }
})()
if (!canMount) console.log('tmpfs cannot be mounted: the tests of a full disk are skipped')

describe.skipIf(!canMount)('a full disk', () => {
  beforeEach(() => {
    mkdirSync(at('disk'), { recursive: true })
    mount('size=3m', '-t', 'tmpfs', 'tmpfs', at('disk'))
    return () => unmount(at('disk'))
  })

  test('ends the run; recorded answers stay, and the run can be resumed when there is space', async () => {
    const { url, calls } = await openEndpoint(long)
    const { screen } = await expectExit(4, `run set.csv --base-url ${url} --out disk/run`)
    expectReportAlone(screen)
    const sent = calls.length
    expect(sent).toBeLessThan(60)
    const journal = read('disk/run/journal.ndjson')
    expect(journal.endsWith('\n')).toBe(true)
    const lines = journal.trimEnd().split('\n')
    expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow()
    const recorded = lines.filter((line) => line.includes('"kind":"result"')).length
    // At most the four calls in flight are not recorded.
    expect(sent - recorded).toBeLessThanOrEqual(4)

    mount('remount,size=64m', at('disk'))
    const report = await expectExit(4, 'report disk/run')
    expect(report.screen).toMatch(/^ *Resume: +npx assist-harness run --resume /m)
    expect(summary('disk/run').quota).toMatchObject({ certain: recorded })
    expect(summary('disk/run').quota.max).toBeGreaterThanOrEqual(sent)
    await expectExit(0, 'run --resume disk/run')
    expect(calls).toHaveLength(60 + sent - recorded)
    expect(isAnswered('disk/run')).toBe(true)
  })

  test('ends a load test, and no call was sent without its intent', async () => {
    const { url, calls } = await openEndpoint(long)
    const offer = '--arrival-rate 19/s --duration 10s'
    const line = `load set.csv --base-url ${url} --out disk/load ${offer}`
    const { screen } = await expectExit(4, line)
    expectReportAlone(screen)
    expect(calls.length).toBeGreaterThan(10)
    const intents = read('disk/load/journal.ndjson').match(/^\{"kind":"intent"/gm)
    expect(intents?.length).toBeGreaterThanOrEqual(calls.length)
  })
})

/** Expects the message that names `report`, which writes the reports when there is space. */
function expectReportAlone(screen: string): void {
  expect(screen).toMatch(/^The reports cannot be written: ENOSPC/m)
  expect(screen).toMatch(/^Fix that, then run: npx assist-harness report /m)
}

test('a clock that jumps by a day changes no duration and loses no turn', async () => {
  const { url } = await openEndpoint()
  put(
    'jump.mjs',
    'const real = Date.now; let calls = 0; Date.now = () => real() + (Math.floor((calls += 1) / 20) % 2 ? -864e5 : 864e5)\n',
  )
  const env = { NODE_OPTIONS: `--import ${at('jump.mjs')}` }
  await expectExit(0, `run set.csv --base-url ${url} --out jumping`, env)
  expect(isAnswered('jumping')).toBe(true)
  for (const { latency_ms: latency, wait_ms: wait } of rowsOf('jumping/results.csv')) {
    expect(Number(latency)).toBeGreaterThanOrEqual(0)
    expect(Number(latency)).toBeLessThan(60_000)
    expect(Number(wait)).toBeLessThan(60_000)
  }
  await expectExit(0, 'run --resume jumping')
})
