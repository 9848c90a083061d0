// Protects `--limiter redis`: several processes of the built program share one limit, also when a process or
// Redis fails. pace/processes.test.ts has a Redis that is far away, late, or stalls.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts'
import { readJournals } from '../support/journals.ts'
import type { ProgramResult, Running } from '../support/program.ts'
import { skipsRedis, startRedis, type RedisServer } from '../support/redis-server.ts'
import { callsOf } from '../support/sandbox-usage.ts'
import { openWorkspace } from '../support/workspace.ts'

const { at, has, put, json, summary, runLine, start: startLine } = openWorkspace()
const KEY = 'key-of-the-organization'
const PASSWORD = 'geheim-0815-im-test'
const withPassword = (password: string): string => redis.url.replace('//', `//:${password}@`)
const LIMIT = 20

let redis: RedisServer
let sandbox: RunningSandbox
let tests = 0
const running: Running[] = []

/** Name of a run folder of the current test. */
const nameOf = (name: string): string => `${tests}-${name}`
const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  ASSIST_API_KEY: KEY,
  ASSIST_REDIS_URL: withPassword(PASSWORD),
  ...more,
})
/** A command line that sends that many questions. */
function sending(name: string, turns: number, more = ''): string {
  const rows = Array.from({ length: turns }, (_, place) => `t${Math.floor(place / 2)},Question ${place}?`)
  const set = put(`set-${turns}.csv`, `thread,message\n${rows.join('\n')}\n`)
  return `run ${set} --base-url ${sandbox.url} --limiter redis --out ${nameOf(name)} ${more}`
}
function start(name: string, turns: number, more = '--rate 20/s'): Running {
  const one = startLine(sending(name, turns, more), environment())
  running.push(one)
  return one
}
const resume = async (name: string): Promise<ProgramResult> =>
  runLine(`run --resume ${nameOf(name)}`, environment())
const journalOf = (name: string): string => readJournals(at(nameOf(name)))
/** Resolves when the run has that many results. */
async function waitForResults(name: string, results: number): Promise<void> {
  const count = (): number =>
    has(nameOf(name), 'journal.ndjson') ? journalOf(name).split('"kind":"result"').length - 1 : 0
  while (count() < results) await sleep(20)
}
/** Expects every question to be answered and sent once. */
function expectWhole(name: string, turns: number): void {
  const { turns: counts, quota } = summary(nameOf(name))
  expect(counts).toMatchObject({ total: turns, answered: turns })
  expect(quota.certain).toBe(turns)
}
const sentCalls = async (outcome: string) =>
  (await callsOf(sandbox)).filter((call) => call.outcome === outcome)

describe.skipIf(skipsRedis)('--limiter redis', () => {
  beforeAll(async () => {
    redis = await startRedis(PASSWORD)
  })
  afterAll(async () => redis?.close())
  afterEach(async () => {
    for (const one of running.splice(0)) one.signal('SIGKILL')
    await sandbox?.close()
  })
  beforeEach(async () => {
    tests += 1
    sandbox = await startSandbox({
      config: sandboxConfigSchema.parse({
        organizations: { acme: { keys: [{ key: KEY }] } },
        rateLimit: { rules: [{ kind: 'token-bucket', limit: LIMIT, window: '1s' }], retryAfter: 'none' },
        latency: { kind: 'constant', delay: '100ms' },
      }),
    })
  })

  test('processes share one limit, also one that joins later, and report how many they are', async () => {
    const two = [start('a', 100), start('b', 100)]
    // The third has started already, so that it joins in time on a busy machine, too.
    await runLine('--version')
    await waitForResults('a', 10)
    const late = runLine(sending('c', 20, '--rate 20/s'), environment())
    const ended = await Promise.all([...two.map(async (one) => one.ended), late])
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
    expectWhole('a', 100)
    expectWhole('b', 100)
    expectWhole('c', 20)
    // Without a shared pace they would send 60 per second against a limit of 20.
    expect((await sentCalls('rate_limited')).length).toBeLessThanOrEqual(3)
    expect(journalOf('a')).toContain('2 processes share the limit')
    expect(journalOf('a')).toContain('"processes":3')
    expect(json(nameOf('a'), 'run.json')).toMatchObject({ options: { limiter: 'redis' } })
    for (const { screen } of ended) expect(screen).not.toContain(PASSWORD)
    const files = readdirSync(at(nameOf('a')))
    expect(files.length).toBeGreaterThan(3)
    for (const name of files) expect(readFileSync(at(nameOf('a'), name)).includes(PASSWORD), name).toBe(false)
  })

  test('a lost Redis stops the runs, and they can be resumed', async () => {
    const two = [start('a', 60), start('b', 60)]
    await waitForResults('a', 10)
    await waitForResults('b', 10)
    redis.hang()
    const ended = await Promise.all(two.map(async (one) => one.ended))
    redis.resume()
    expect(ended.map(({ code }) => code)).toEqual([4, 4])
    for (const { stdout } of ended)
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
        /no answer from 127\.0\.0\.1:\d+ for 15 s: Redis is lost; sending stopped/,
      )
    for (const name of ['a', 'b']) {
      const resumed = await resume(name)
      expect(resumed.code, resumed.stderr).toBe(0)
      expect(resumed.stderr).toMatch(/^Note: limiter: .* through Redis/m)
      expectWhole(name, 60)
    }
    expect(await sentCalls('answered')).toHaveLength(120)
  })

  /** `change`: what happens to the state in Redis while the run sends. */
  test.each<[number, RegExp, (client: Redis, key: string) => Promise<unknown>]>([
    [4, /OOM command not allowed/, async (client) => client.config('SET', 'maxmemory', '1')],
    [
      5,
      /a fault of the harness: .*null/,
      async (client, key) => {
        const state = (await client.get(key)) ?? ''
        return client.set(key, state.replace(/^\d+/, '999999').replace('"processes":{', '$&"x":null,'))
      },
    ],
  ])(
    'a Redis that refuses writes (4), or a state that only we could have broken (5): %i',
    async (code, reason, change) => {
      const client = new Redis(redis.port, { password: PASSWORD })
      await client.flushall()
      const one = start('a', 40)
      await waitForResults('a', 5)
      const [key = ''] = await client.keys('*')
      await change(client, key)
      const ended = await one.ended
      await client.config('SET', 'maxmemory', '0')
      await client.flushall()
      await client.quit()
      expect([ended.code, ended.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
        code,
        expect.stringMatching(reason),
      ])
      expect(has(nameOf('a'), 'lock')).toBe(false)
      expect((await resume('a')).code).toBe(0)
    },
  )

  test('errors are reported before anything is sent, and without the password', async () => {
    const mute = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const { port } = mute.address() as AddressInfo
    // scenarios/invalid.txt covers what is no address.
    const faults: [Record<string, string>, RegExp, string?][] = [
      [{ ASSIST_REDIS_URL: 'redis://127.0.0.1:1' }, /127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED/],
      [{ ASSIST_REDIS_URL: withPassword(`${PASSWORD}-wrong`) }, /cannot be used: WRONGPASS/],
      [{ ASSIST_REDIS_URL: redis.url }, /cannot be used: NOAUTH/],
      [{ ASSIST_REDIS_URL: `${withPassword(PASSWORD)}/99` }, /cannot be used: .*DB index is out of range/],
      [{ ASSIST_REDIS_URL: sandbox.url.replace('http:', 'redis:') }, /cannot be used: /],
      [{ ASSIST_REDIS_URL: `redis://127.0.0.1:${port}` }, /cannot be (used|reached)/],
      [{}, /redis cannot be used with --rate unlimited/, '--rate unlimited'],
    ]
    for (const [env, reason, more] of faults) {
      const { code, stderr, stdout } = await runLine(sending('x', 4, more), environment(env))
      expect([code, stderr]).toEqual([2, expect.stringMatching(reason)])
      expect(stderr + stdout).not.toContain(PASSWORD)
    }
    mute.close()
    expect(has(nameOf('x'))).toBe(false)
    expect(await callsOf(sandbox)).toEqual([])
  })
})
