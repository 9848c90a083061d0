// Disks that are full, folders that cannot be written, clocks that jump: what a run makes of them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { goodReply, openEndpoint, type ReceivedCall, type TestEndpoint } from '../support/endpoint.ts'
import { readResults, readSummary, runProgram, startProgram, type Ended } from '../support/program.ts'
import { KEY_ENV, runWords } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const rows = Array.from({ length: 60 }, (_, place) => `q${place},Question ${place}?`)
writeFileSync(join(folder, 'set.csv'), `id,message\n${rows.join('\n')}\n`)

let endpoint: TestEndpoint

/** Answers of 64 KiB: a small disk is full soon. */
const long = (call: ReceivedCall): true => {
  const { response } = call
  const message = 'long answer '.repeat(5500)
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ...goodReply(call), message }))
  return true
}
const words = (out: string): string[] => runWords('set.csv', endpoint, out, '--concurrency', '4')
const go = async (...typed: readonly string[]): Promise<Ended> =>
  runProgram(typed, { cwd: folder, env: KEY_ENV })

const canMount = ((): boolean => {
  const probe = join(folder, 'probe')
  mkdirSync(probe)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { stdio: 'ignore' })
    execFileSync('umount', [probe], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
if (!canMount) console.log('No tmpfs can be mounted here: the tests of a full disk are skipped')

describe.skipIf(!canMount)('a full disk', () => {
  const disk = join(folder, 'disk')
  beforeEach(() => {
    mkdirSync(disk, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk])
    return () => {
      execFileSync('umount', [disk])
    }
  })

  test('ends the run; what was recorded is whole, and the run can be resumed with room again', async () => {
    endpoint = await openEndpoint(long)
    const out = join(disk, 'run')
    const { code, screen } = await go(...words(out))
    expect(code, screen).toBe(4)
    expectReportAlone(screen)
    const sent = endpoint.calls.length
    expect(sent).toBeLessThan(60)
    const journal = readFileSync(join(out, 'journal.ndjson'), 'utf8')
    expect(journal.endsWith('\n')).toBe(true)
    const lines = journal.trimEnd().split('\n')
    expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow()
    const recorded = lines.filter((line) => line.includes('"kind":"result"')).length
    // At most the four calls in flight were not recorded any more.
    expect(sent - recorded).toBeLessThanOrEqual(4)

    execFileSync('mount', ['-o', 'remount,size=64m', disk])
    const report = await go('report', out)
    expect(report.code).toBe(4)
    expect(report.screen).toMatch(/^ *Resume: +npx assist-harness run --resume /m)
    expect(readSummary(out).quota).toMatchObject({ certain: recorded })
    expect(readSummary(out).quota.max).toBeGreaterThanOrEqual(sent)
    const resumed = await go('run', '--resume', out)
    expect(resumed.code, resumed.screen).toBe(0)
    expect(endpoint.calls).toHaveLength(60 + sent - recorded)
    expect(readResults(out).every(({ outcome }) => outcome === 'answered')).toBe(true)
  })

  test('ends a load test: no call was sent without its intent', async () => {
    endpoint = await openEndpoint(long)
    const out = join(disk, 'load')
    const offer = ['--arrival-rate', '19/s', '--duration', '10s']
    const { code, screen } = await go('load', 'set.csv', '--base-url', endpoint.url, '--out', out, ...offer)
    expect(code, screen).toBe(4)
    expectReportAlone(screen)
    const lines = readFileSync(join(out, 'journal.ndjson'), 'utf8').trimEnd().split('\n')
    const count = (kind: string): number =>
      lines.filter((line) => line.startsWith(`{"kind":"${kind}"`)).length
    expect(endpoint.calls.length).toBeGreaterThan(10)
    expect(count('intent')).toBeGreaterThanOrEqual(endpoint.calls.length)
  })

  test('that fills up before the reports are made says so, and keeps the journal', async () => {
    endpoint = await openEndpoint(long)
    const out = join(disk, 'run')
    // Twenty answers are 1.3 MB of journal; results.csv would be as much again.
    const { code, screen } = await go(...words(out), '--grep', '^q1?[0-9]$')
    expect(endpoint.calls).toHaveLength(20)
    writeFileSync(join(disk, 'filler'), Buffer.alloc(100 * 2 ** 10))
    expect([code, screen]).toEqual([0, expect.stringContaining(`  ${join(out, 'report.html')}\n`)])
    try {
      writeFileSync(join(disk, 'more'), Buffer.alloc(8 * 2 ** 20))
    } catch {
      // Now it is full.
    }
    const report = await go('report', out)
    expect(report.code).toBe(4)
    expectReportAlone(report.screen)
  })

  test('while parts are joined: only their reports are left to write', async () => {
    endpoint = await openEndpoint(long)
    const parts = await Promise.all(
      ['1/2', '2/2'].map(async (shard, place) => {
        const out = `joined-${place}`
        const { code, screen } = await go(...words(out), '--shard', shard)
        expect(code, screen).toBe(0)
        return out
      }),
    )
    execFileSync('mount', ['-o', 'remount,size=5m', disk])
    const out = join(disk, 'run')
    // Sixty answers are 4 MB of journal, and as much again of results.csv.
    const { code, screen } = await go('merge', ...parts, '--out', out)
    expect(code, screen).toBe(4)
    expectReportAlone(screen)
    execFileSync('mount', ['-o', 'remount,size=64m', disk])
    const report = await go('report', out)
    expect(report.code, report.screen).toBe(0)
    expect(readResults(out)).toHaveLength(60)
    expect(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))).toMatchObject({ state: 'complete' })
  })
})

/** What was recorded stands: the reports are made from it once there is room. */
function expectReportAlone(screen: string): void {
  expect(screen).toMatch(/^The reports cannot be written: ENOSPC/m)
  expect(screen).toMatch(/^Fix that, then run: npx assist-harness report /m)
}

test.skipIf(process.getuid?.() !== 0 || !canMount)(
  'a read-only folder is refused before anything is sent',
  async () => {
    endpoint = await openEndpoint()
    const disk = join(folder, 'read-only')
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', disk])
    try {
      const { code, screen } = await go(...words(join(disk, 'run')))
      expect([code, screen]).toEqual([2, expect.stringMatching(/cannot be created/)])
      expect(endpoint.calls).toHaveLength(0)
    } finally {
      execFileSync('umount', [disk])
    }
  },
)

test('a clock that jumps a day back and forth changes no duration and loses no turn', async () => {
  endpoint = await openEndpoint()
  const preload = join(folder, 'jump.mjs')
  writeFileSync(
    preload,
    'const real = Date.now; let calls = 0; Date.now = () => real() + (Math.floor((calls += 1) / 20) % 2 ? -864e5 : 864e5)\n',
  )
  const out = join(folder, 'jumping')
  const running = startProgram(words(out), {
    cwd: folder,
    env: { ...KEY_ENV, NODE_OPTIONS: `--import ${preload}` },
  })
  const { code, screen } = await running.ended
  expect(code, screen).toBe(0)
  const results = readResults(out)
  expect(results.every(({ outcome }) => outcome === 'answered')).toBe(true)
  for (const { latency_ms: latency, wait_ms: wait } of results) {
    expect(Number(latency)).toBeGreaterThanOrEqual(0)
    expect(Number(latency)).toBeLessThan(60_000)
    expect(Number(wait)).toBeLessThan(60_000)
  }
  expect((await go('run', '--resume', out)).code).toBe(0)
})
