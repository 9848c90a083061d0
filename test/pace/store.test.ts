// Protects the state in a real Redis: compare-and-set, one clock, expiry. cli/limiter-redis.test.ts covers processes that share it.
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/library/clock.ts'
import { createPaceState, type Rules } from '../../src/pace/state.ts'
import { openRedisStore, type RedisStore } from '../../src/pace/store.ts'
import { skipsRedis, startRedis, type RedisServer } from '../support/redis-server.ts'

let redis: RedisServer
let client: Redis
const stores: RedisStore[] = []
const organization = randomBytes(16).toString('hex')
const rules: Rules = { rate: { kind: 'known', perSecond: 300 }, concurrency: 64, share: 1 }

async function open(of = organization): Promise<RedisStore> {
  const store = await openRedisStore(new URL(redis.url), of, createPaceState(rules), realClock)
  stores.push(store)
  return store
}

/** Increments a counter of the state that many times, one step after the other. */
async function count(store: RedisStore, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1)
    await new Promise<void>((resolve) => {
      store.step(
        (state) => {
          state.sent += 1
          return { isChanged: true }
        },
        () => resolve(),
      )
    })
}

describe.skipIf(skipsRedis)('the state in Redis', () => {
  beforeAll(async () => {
    redis = await startRedis()
    client = new Redis(redis.port)
    client.on('error', () => undefined)
  })
  afterAll(async () => {
    client?.disconnect()
    await redis?.close()
  })
  afterEach(async () => {
    await Promise.all(stores.splice(0).map(async (store) => store.close(() => undefined)))
    await client.flushall()
  })

  test('applies every step of many processes, each to the latest state', async () => {
    const all = [await open(), await open(), await open()]
    await Promise.all(all.map(async (store) => count(store, 50)))
    const last = await open()
    expect(last.state().sent).toBe(150)
    expect([all[0]?.isFound, last.isFound]).toEqual([false, true])
    const clocks = [...all, last].map((store) => store.now())
    expect(Math.max(...clocks) - Math.min(...clocks)).toBeLessThan(20)
  })

  test('has one small key for each organization, which expires after a day', async () => {
    await count(await open(), 1)
    await count(await open(randomBytes(16).toString('hex')), 1)
    const keys = await client.keys('*')
    expect(keys.every((key) => /^assist-harness:\{[0-9a-f]{32}\}:v5$/.test(key))).toBe(true)
    expect(keys).toHaveLength(2)
    for (const key of keys) {
      expect(await client.strlen(key)).toBeLessThan(8000)
      expect(await client.pttl(key)).toBeGreaterThan(23 * 3_600_000)
    }
  })

  test('is restored by a process if Redis has lost it', async () => {
    const store = await open()
    await count(store, 3)
    await client.flushall()
    await count(store, 1)
    expect((await open()).state().sent).toBe(4)
  })
})
