// Protects the state in a real Redis: compare-and-set, one clock, expiry. cli/limiter-redis.test.ts covers
// processes that share it.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { realClock } from '../../src/runner/clock.ts'
import { StoreError } from '../../src/pace/limiter.ts'
import type { PaceRules } from '../../src/pace/rules.ts'
import { createSharedState } from '../../src/pace/processes.ts'
import { openRedisStore, type RedisStore } from '../../src/pace/store.ts'
import { startFarRedis } from '../support/far-redis.ts'
import { projectRoot } from '../support/program.ts'
import { skipsRedis, startRedis, type RedisServer } from '../support/redis-server.ts'

const LOADING = '-LOADING Redis is loading the dataset in memory\r\n'
const free = async (): Promise<void> => undefined

let redis: RedisServer
let client: Redis
const stores: RedisStore[] = []
const organization = randomBytes(16).toString('hex')
const rules: PaceRules = { rate: { kind: 'known', perSecond: 300 }, concurrency: 64, share: 1 }

async function open(of = organization, url = redis.url, clock = realClock): Promise<RedisStore> {
  const store = await openRedisStore(new URL(url), of, createSharedState(rules), clock)
  stores.push(store)
  return store
}

/** Increments a counter of the state that many times, one step after the other. */
async function count(store: RedisStore, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1)
    await new Promise<void>((resolve) => {
      store.step(
        (state) => ({ state: { ...state, pace: { ...state.pace, sent: state.pace.sent + 1 } } }),
        () => resolve(),
      )
    })
}

describe.skipIf(skipsRedis)('the state in Redis', () => {
  beforeAll(async () => {
    redis = await startRedis(undefined, ['--repl-diskless-sync-delay', '0'])
    client = new Redis(redis.port)
    client.on('error', () => undefined)
  })
  afterAll(async () => {
    client?.disconnect()
    await redis?.close()
  })
  afterEach(async () => {
    await Promise.all(stores.splice(0).map(async (store) => store.close((state) => state)))
    await client.replicaof('NO', 'ONE')
    await client.flushall()
  })

  test('applies every step of many processes, each to the latest state', async () => {
    const all = [await open(), await open(), await open()]
    await Promise.all(all.map(async (store) => count(store, 50)))
    const last = await open()
    expect(last.state().pace.sent).toBe(150)
    const clocks = [...all, last].map((store) => store.now())
    expect(Math.max(...clocks) - Math.min(...clocks)).toBeLessThan(20)
  })

  test('has one small key for each organization, which expires after a day', async () => {
    await count(await open(), 1)
    await count(await open(randomBytes(16).toString('hex')), 1)
    const keys = await client.keys('*')
    expect(keys.every((key) => /^assist-harness:\{[0-9a-f]{32}\}:v14$/.test(key))).toBe(true)
    expect(keys).toHaveLength(2)
    for (const key of keys) {
      expect(await client.strlen(key)).toBeLessThan(8000)
      expect(await client.pttl(key)).toBeGreaterThan(23 * 3_600_000)
    }
  })

  test('goes on from its latest step if the clock of Redis is set back', async () => {
    await count(await open(), 1)
    const [key = ''] = await client.keys('*')
    const text = (await client.get(key)) ?? ''
    await client.set(key, text.replace('"steppedAt":0', '"steppedAt":3600000'))
    // Half a round trip before the time that Redis gives.
    expect((await open()).now()).toBeGreaterThan(3_590_000)
  })

  test('is restored by a process if Redis has lost it', async () => {
    const store = await open()
    await count(store, 3)
    await client.flushall()
    await count(store, 1)
    expect((await open()).state().pace.sent).toBe(4)
  })

  const nameOfKey = async (): Promise<string> => {
    await count(await open(), 1)
    return (await client.keys('*'))[0] ?? ''
  }
  const put = async (text: string) => client.set(await nameOfKey(), text)
  const fill = async () => client.config('SET', 'maxmemory', '1')

  test.each<[string, () => Promise<unknown>, () => Promise<unknown>, RegExp]>([
    ['full', fill, async () => client.config('SET', 'maxmemory', '0'), /refuses .*: OOM command not allowed/],
    [
      'of another type',
      async () =>
        client
          .multi()
          .flushall()
          .lpush(await nameOfKey(), 'a')
          .exec(),
      free,
      /refuses .*: WRONGTYPE /,
    ],
    ['no state', async () => put('5 1000.0 {}'), free, /the key assist-harness:\S+:v\d+ .* no pacing state/],
    ['null', async () => put('5 1000.0 null'), free, /no pacing state: delete it$/],
    ['a text', async () => put('hello'), free, /no pacing state: delete it$/],
  ])('that is %s is said before the first call, and stops a run', async (_, spoil, repair, words) => {
    const store = await open()
    await count(store, 1)
    await client.flushall()
    await spoil()
    const error: unknown = await open().catch((reason: unknown) => reason)
    store.step(
      (state) => ({ state: { ...state } }),
      () => undefined,
    )
    await vi.waitUntil(() => store.lost.aborted)
    await repair()
    expect([error, store.lost.reason]).toEqual([expect.any(StoreError), expect.any(StoreError)])
    expect(String(error)).toMatch(words)
  })

  test('is waited for while Redis loads it, and a Redis that loads for too long is given up', async () => {
    let isLoading = false
    const proxy = createServer((socket) => {
      const server = connect(redis.port, '127.0.0.1')
      const isRefused = (chunk: Buffer): boolean => isLoading && chunk.includes('eval')
      socket.on('data', (chunk: Buffer) => (isRefused(chunk) ? socket.write(LOADING) : server.write(chunk)))
      server.on('data', (chunk: Buffer) => socket.write(chunk))
      socket.on('close', () => server.destroy()).on('error', () => undefined)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const fast = { ...realClock, now: () => 10 * realClock.now() }
    const store = await open(organization, `redis://127.0.0.1:${port}`, fast)
    isLoading = true
    setTimeout(() => (isLoading = false), 700)
    await count(store, 1)
    expect(store.lost.aborted).toBe(false)
    isLoading = true
    void count(store, 1)
    await vi.waitUntil(() => store.lost.aborted, { timeout: 6000 })
    expect(String(store.lost.reason)).toMatch(/refuses to share the pace: LOADING Redis is loading/)
    proxy.close()
  })

  test('is found again over a new connection once a replica took over, or the way broke', async () => {
    const replica = await startRedis()
    const follower = new Redis(replica.port)
    const far = await startFarRedis(redis.port, 1)
    onTestFinished(async () => {
      follower.disconnect()
      far.close()
      await replica.close()
    })
    const store = await open(organization, far.url)
    await count(store, 3)
    await follower.replicaof('127.0.0.1', redis.port)
    await vi.waitUntil(async () => (await follower.dbsize()) === 1, { timeout: 10_000 })
    await client.replicaof('127.0.0.1', replica.port)
    const counted = count(store, 1)
    await sleep(500)
    await follower.replicaof('NO', 'ONE')
    far.lead(replica.port)
    await counted
    expect(await follower.get((await follower.keys('*'))[0] ?? '')).toContain('"sent":4,')
    far.cut()
    await count(store, 1)
    expect([store.lost.aborted, store.state().pace.sent]).toEqual([false, 5])
  })

  test('needs the commands and keys that the guide names, and no others', async () => {
    const guide = readFileSync(join(projectRoot, 'docs/guides/several-machines.md'), 'utf8')
    const [, rights = ''] = /^ACL SETUSER assist on '>[^']*' (.*)$/m.exec(guide) ?? []
    const granted = rights.split(' ')
    expect(granted).toHaveLength(5)
    const asUser = async (all: readonly string[]): Promise<RedisStore> => {
      await client.call('ACL', 'SETUSER', 'assist', 'reset', 'on', '>pw', ...all)
      return open(organization, redis.url.replace('//', '//assist:pw@'))
    }
    const store = await asUser(granted)
    await count(store, 2)
    expect(store.state().pace.sent).toBe(2)
    for (const right of granted)
      await expect(asUser(granted.filter((other) => other !== right))).rejects.toThrow(
        /127\.0\.0\.1:\d+ (cannot be used|refuses to share the pace): .*(NOPERM|can't run this command)/,
      )
    await client.call('ACL', 'DELUSER', 'assist')
  })
})
