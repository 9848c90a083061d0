// `load --find-limit` as a user types it, against limits whose truth is known: what it finds, what it costs, what it says.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { limitReportSchema, type LimitReport } from '../../src/domain/load.ts'
import { mergeLoad, planSearch } from '../../src/library/load-plan.ts'
import { readOptions, toCamelCase, type RunSettings } from '../../src/library/options.ts'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { turningAt } from '../analysis/limit/records.ts'
import { concurrent, fixed, limited, type Server } from '../bench/pacing/servers.ts'
import { answerJson, goodReply, withEndpoint, type Behaviour } from '../support/endpoint.ts'
import { runProgram, startProgram, type Ended } from '../support/program.ts'
import { KEY_ENV } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const readCommandLine = (typed: Readonly<Record<string, unknown>>): RunSettings =>
  readOptions(
    'load',
    Object.fromEntries(Object.entries(typed).map(([name, value]) => [toCamelCase(name), value])),
  )

const folder = temporaryFolder()
writeFileSync(join(folder, 'set.csv'), 'thread,message\na,First?\na,Second?\nb,Other?\n')
const pathOf = (out: string, file: string): string => join(folder, out, file)
const reportOf = (out: string): LimitReport =>
  limitReportSchema.parse(JSON.parse(readFileSync(pathOf(out, 'limit.json'), 'utf8')))

interface Searched extends Ended {
  readonly report: LimitReport
  /** The endpoint's own account. */
  readonly ledger: { readonly calls: number; readonly counted: number }
}

const searchAt = async (url: string, key: string, out: string, more: readonly string[]): Promise<Ended> =>
  runProgram(['load', 'set.csv', '--find-limit', '--base-url', url, '--out', out, ...more], {
    cwd: folder,
    env: { ASSIST_API_KEY: key },
  })

/** One search of a sandbox of its own. */
async function search(out: string, rule: object | undefined, ...more: string[]): Promise<Searched> {
  const sandbox = await startSandbox({
    config: sandboxConfigSchema.parse({
      latency: { kind: 'constant', delay: '30ms' },
      ...(rule === undefined ? {} : { rateLimit: { rules: [rule], retryAfter: 'none' } }),
    }),
  })
  const ended = await searchAt(sandbox.url, sandbox.apiKey, out, more)
  const headers = { authorization: `Bearer ${sandbox.adminKey}` }
  const usage = await (await fetch(`${sandbox.url}/sandbox/usage`, { headers })).json()
  await sandbox.close()
  return { ...ended, report: reportOf(out), ledger: (usage as { total: Searched['ledger'] }).total }
}

/** One search of an endpoint with a limit that the sandbox does not have; answers take 100 to 500 ms. */
async function searchServer(out: string, server: Server, ...more: string[]): Promise<Searched> {
  const random = seededRandom(1)
  let counted = 0
  const behave: Behaviour = (call) => {
    if (!server.arrive(Date.now()).admitted) {
      answerJson(call, 429, { success: false, error: { code: 'RATE_LIMITED', message: 'Later.' } })
      return true
    }
    counted += 1
    void setTimeout(100 + 400 * random()).then(() => {
      server.finish(Date.now())
      answerJson(call, 200, goodReply(call))
    })
    return true
  }
  return withEndpoint(behave, async (endpoint) => {
    const ended = await searchAt(endpoint.url, 'key-of-a-test-0123456789', out, more)
    return { ...ended, report: reportOf(out), ledger: { calls: endpoint.calls.length, counted } }
  })
}

/** A machine that is busy elsewhere disturbs what is timed: then it is searched again, three times at most. */
async function searchUndisturbed(
  out: string,
  isDisturbed: (found: Searched) => boolean,
  once: (out: string) => Promise<Searched>,
): Promise<Searched & { readonly out: string }> {
  for (let time = 1; ; time += 1) {
    const name = `${out}-${time}`
    const found = await once(name)
    if (time === 3 || !isDisturbed(found)) return { ...found, out: name }
  }
}

const WINDOW = { kind: 'fixed-window', limit: 10, window: '1s' }
const LIMITS = ['--max-calls', '600', '--duration', '90s']

interface Truth {
  readonly kind: string
  readonly ratePerSecond?: number
  readonly windowMs?: number
  readonly limit?: number
  readonly burst?: number
  readonly inFlight?: number
}

/** The farthest that a figure is off, as a part of it; Infinity for another kind. */
function offOf({ finding }: LimitReport, { kind, ...figures }: Truth): number {
  const found = finding as Partial<Record<string, unknown>>
  const offs = Object.entries(figures).map(([name, value]) => Math.abs(Number(found[name]) / value - 1))
  return finding.kind === kind ? Math.max(...offs) : Infinity
}

describe.concurrent('the kinds of limit', () => {
  const sandboxed = (rule: object) => async (out: string) => search(out, rule, ...LIMITS)
  const served = (make: () => Server) => async (out: string) => searchServer(out, make(), ...LIMITS)
  test.each<[string, Truth, (out: string) => Promise<Searched>]>([
    [
      'fixed-window',
      { kind: 'fixed-window', ratePerSecond: 10, windowMs: 1000, limit: 10 },
      sandboxed(WINDOW),
    ],
    [
      'free-window',
      { kind: 'fixed-window', ratePerSecond: 10, windowMs: 2000, limit: 20 },
      served(() => limited([turningAt(700, fixed(20, 2))])),
    ],
    [
      'sliding-window',
      { kind: 'sliding-window', ratePerSecond: 8, windowMs: 2000, limit: 16 },
      sandboxed({ kind: 'sliding-window', limit: 16, window: '2s' }),
    ],
    [
      'token-bucket',
      { kind: 'token-bucket', ratePerSecond: 12, burst: 10 },
      sandboxed({ kind: 'token-bucket', limit: 12, window: '1s', burst: 10 }),
    ],
    [
      'gcra',
      { kind: 'token-bucket', ratePerSecond: 8, burst: 4 },
      sandboxed({ kind: 'gcra', limit: 8, window: '1s', burst: 4 }),
    ],
    ['concurrency', { kind: 'concurrency', inFlight: 5 }, served(() => concurrent(5))],
  ])('%s over HTTP: within five percent', async (name, truth, once) => {
    const found = await searchUndisturbed(
      name,
      ({ report, code }) => code !== 0 || offOf(report, truth) > 0.05,
      once,
    )
    const { report, ledger, code } = found
    expect({ code, verdict: report.verdict, finding: report.finding }).toMatchObject({
      code: 0,
      verdict: 'known',
      finding: { kind: truth.kind, confidence: 'high' },
    })
    expect(offOf(report, truth)).toBeLessThanOrEqual(0.05)
    expect({ sent: report.calls.sent, accepted: report.calls.accepted, counted: report.quota.min }).toEqual({
      sent: ledger.calls,
      accepted: ledger.counted,
      counted: ledger.counted,
    })
  })
})

describe.concurrent('what is said', () => {
  test('a search, its folder, and what does not go with it', async () => {
    const { out, stderr, stdout, report } = await searchUndisturbed(
      'said',
      ({ report: one }) => one.verdict !== 'known',
      async (name) => search(name, WINDOW, '--max-calls', '300'),
    )
    const { finding, calls } = report
    expect(finding).toMatchObject({ calls: calls.sent, refused: calls.refused })
    expect(stderr).toMatch(/^Searching for the organization's limit: at most 300 calls/)
    expect(stdout).toMatch(/^ +Limit +10\/s +10 calls per 1 s, in fixed windows \(high confidence\)/m)
    expect(stdout).toMatch(/--rate 10\/s$/m)
    expect(stdout).toMatch(/^✓ Known · the limit is known with high confidence/m)
    expect(readFileSync(pathOf(out, 'summary.md'), 'utf8')).toContain('| Limit | 10/s |')
    const again = await runProgram(['report', out], { cwd: folder })
    expect([again.code, reportOf(out)]).toEqual([0, report])
    cpSync(join(folder, out), join(folder, `${out}-copy`), { recursive: true })
    for (const words of [
      ['run', '--resume', out],
      ['compare', out, `${out}-copy`],
    ])
      expect((await runProgram(words, { cwd: folder })).stderr).toContain(
        "holds a search for the organization's limit",
      )
  })

  test('no limit: the whole budget, and no claim beyond it', async () => {
    const { code, stdout, report, ledger } = await search('none', undefined, '--max-calls', '60')
    expect([code, report.verdict, report.finding.kind, ledger.counted]).toEqual([0, 'unmet', 'none-met', 60])
    expect(stdout).toMatch(/^ +Limit +unknown +not reached: none of 60 calls was refused$/m)
    expect(stdout).not.toContain('To use it')
  })

  test.each([
    ['budget', ['--max-calls', '24'], 24, /24 calls \(--max-calls\) were used up before/],
    ['time', ['--duration', '1s'], 50, /1 s \(--duration\) passed before/],
    ['slow', ['--max-rate', '4/s', '--duration', '2s'], 9, /before the limit was known/],
  ] as const)('%s: ended before it knew', async (out, more, most, reason) => {
    const { code, report, ledger } = await search(out, WINDOW, ...more)
    expect([code, report.verdict, report.calls.sent]).toEqual([4, 'unknown', ledger.calls])
    expect(report.reason).toMatch(reason)
    expect(ledger.calls).toBeLessThanOrEqual(most)
  })
})

describe.concurrent('what ends it', () => {
  const words = (url: string, out: string) =>
    ['load', 'set.csv', '--find-limit'].concat(['--base-url', url, '--out', out])
  test.each([
    ['key', 401, 3, /rejected the key/],
    ['failures', 503, 4, /only failures/],
  ] as const)('%s', async (out, status, expected, reason) => {
    const behaviour: Behaviour = (call) => answerJson(call, status, { error: { code: 'NO', message: 'No.' } })
    const { code, sent } = await withEndpoint(behaviour, async (endpoint) => {
      const ended = await runProgram(words(endpoint.url, out), { cwd: folder, env: KEY_ENV })
      return { ...ended, sent: endpoint.calls.length }
    })
    const report = reportOf(out)
    expect([code, report.exitCode, report.calls]).toMatchObject([
      expected,
      expected,
      { sent, accepted: 0, lost: sent },
    ])
    expect(sent).toBeLessThan(30)
    expect(report.reason).toMatch(reason)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s: nothing paid is lost', async (signal, expected) => {
    const { code, sent } = await withEndpoint(undefined, async (endpoint) => {
      const running = startProgram([...words(endpoint.url, signal), '--max-rate', '10/s'], {
        cwd: folder,
        env: KEY_ENV,
      })
      await running.says(/Sending /)
      while (endpoint.calls.length < 5) await setTimeout(20)
      running.signal(signal)
      return { ...(await running.ended), sent: endpoint.calls.length }
    })
    expect([code, reportOf(signal).state, reportOf(signal).calls.accepted]).toEqual([
      expected,
      'interrupted',
      sent,
    ])
  })
})

describe('what is refused: nothing is sent', () => {
  test.each([
    [{ 'arrival-rate': '1/s' }, '--arrival-rate'],
    [{ stages: ['1m:5/s'] }, '--stages'],
    [{ arrivals: 'poisson' }, '--arrivals'],
    [{ users: '3' }, '--users'],
    [{ 'think-time': '1s' }, '--think-time'],
    [{ threshold: ['errors<=1%'] }, '--threshold'],
  ])('%j', (words, option) => {
    expect(() => planSearch(readCommandLine({ 'find-limit': true, ...words }))).toThrow(
      `findLimit cannot be used with ${option}`,
    )
  })
})

describe('what is meant', () => {
  test('by default, and what is said', () => {
    expect(planSearch({})).toEqual({
      budget: 600,
      maxMs: 600_000,
      maxInFlight: 64,
      maxPerSecond: 50,
    })
    const said = { 'max-calls': '90', 'max-rate': '90/min', 'max-in-flight': '3', duration: '1m' }
    expect(planSearch(readCommandLine(said))).toEqual({
      budget: 90,
      maxMs: 60_000,
      maxInFlight: 3,
      maxPerSecond: 1.5,
    })
  })

  test('what is typed wins over the other kind in the config file', () => {
    const load = readCommandLine({ 'arrival-rate': '1/s', duration: '5m', threshold: ['errors<=1%'] })
    const seek = readCommandLine({ 'find-limit': true })
    const searches = [mergeLoad(seek, load), mergeLoad(load, seek), mergeLoad({}, seek), mergeLoad({}, load)]
    expect(searches.map(({ findLimit }) => findLimit)).toEqual([true, false, true, false])
    expect(planSearch(mergeLoad(seek, load)).maxMs).toBe(600_000)
  })
})
