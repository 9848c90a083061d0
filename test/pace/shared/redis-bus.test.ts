// The lease, the fence and the channels on a real Redis.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Redis } from 'ioredis'
import { fenceOf, holderOf, type Bus, type Claim } from '../../../src/pace/shared/bus.ts'
import { connectBus } from '../../../src/pace/shared/redis-bus.ts'
import { LEASE_MS } from '../../../src/pace/shared/times.ts'
import { skipsRedis, startRedis, type RedisServer } from '../../support/redis-server.ts'

let redis: RedisServer
const buses: Bus[] = []
const PASSWORD = 'pass-word-of-a-test'
const organization = randomBytes(16).toString('hex')

async function join(id: string, of = organization, port = redis.port, username?: string): Promise<Bus> {
  const address = {
    host: '127.0.0.1',
    port,
    tls: false,
    database: 0,
    username,
    password: username && PASSWORD,
  }
  const bus = await connectBus({ address, organization: of, id })
  buses.push(bus)
  return bus
}

async function forgetAll(): Promise<void> {
  const client = new Redis(redis.port)
  await client.flushall()
  await client.quit()
}

const heard = (bus: Bus): { texts: string[]; until: (count: number) => Promise<void> } => {
  const texts: string[] = []
  bus.onMessage((text) => {
    if (text !== '') texts.push(text)
  })
  return {
    texts,
    until: async (count) => {
      while (texts.length < count) await sleep(5)
    },
  }
}

describe.skipIf(skipsRedis)('the way through Redis', () => {
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => redis?.close())
  afterEach(async () => {
    await Promise.all(buses.splice(0).map(async (bus) => bus.close()))
    await forgetAll()
  })

  test('one takes the lease and keeps it; the next has a higher fence', async () => {
    const [a, b] = [await join('aa'), await join('bb')]
    const first = await a.claim(0, undefined, undefined)
    expect(first).toEqual({ term: '1:aa', isNew: true, published: undefined })
    expect(await b.claim(0, undefined, undefined)).toEqual({
      term: '1:aa',
      isNew: false,
      published: undefined,
    })
    expect(await a.claim(1, undefined, first.term)).toMatchObject({ term: '1:aa', isNew: false })
    await a.publish(first.term, 'all', 'told', 'kept')
    await a.release(first.term, 'left')
    const second = await b.claim(1, undefined, undefined)
    expect(second).toMatchObject({ term: '2:bb', isNew: true, published: { text: 'left' } })
    expect(second.published?.ageMs).toBeLessThan(60_000)
    // A Redis that has forgotten the number goes on from what the process remembers.
    await b.release(second.term, '')
    await forgetAll()
    const third = await a.claim(fenceOf(second.term), undefined, undefined)
    expect([fenceOf(third.term), holderOf(third.term)]).toEqual([3, 'aa'])
  })

  test('one that does not conduct by a lease that it was given takes it anew', async () => {
    const [a, b] = [await join('aa'), await join('bb')]
    const { term } = await a.claim(0, undefined, undefined)
    // As if the answer had been lost.
    expect(await a.claim(0, undefined, undefined)).toMatchObject({ term: '2:aa', isNew: true })
    expect(await a.publish(term, 'all', 'late')).toBe('deposed')
    expect(await b.claim(0, undefined, undefined)).toMatchObject({ term: '2:aa', isNew: false })
  })

  test('who has lost the lease publishes nothing any more', async () => {
    const [a, b] = [await join('aa'), await join('bb')]
    const mail = heard(b)
    const { term } = await a.claim(0, undefined, undefined)
    expect(await a.publish(term, 'bb', 'one')).toBe(1)
    expect(await a.publish(term, 'cc', 'nobody is there')).toBe(0)
    await a.release(term, '')
    const next = await b.claim(0, undefined, undefined)
    expect(await a.publish(term, 'bb', 'late', 'late')).toBe('deposed')
    expect(await b.publish(next.term, 'all', 'two')).toBe(2)
    await mail.until(3)
    expect(mail.texts).toEqual(['one', '{"kind":"vacant"}', 'two'])
  })

  test('a holder that is gone is succeeded before its lease ends; one that is there is not', async () => {
    const [a, b] = [await join('aa'), await join('bb')]
    const { term } = await a.claim(0, undefined, undefined)
    expect(await b.claim(1, term, undefined)).toMatchObject({ term, isNew: false })
    await a.close()
    const before = performance.now()
    // The server takes a moment to notice.
    while ((await b.send(term, 'are you there?')) > 0) await sleep(5)
    const next = await b.claim(1, term, undefined)
    expect(next).toMatchObject({ term: '2:bb', isNew: true })
    expect(performance.now() - before).toBeLessThan(LEASE_MS)
  })

  test('organizations do not meet, and everything that is kept expires', async () => {
    const [a, other] = [await join('aa'), await join('aa', randomBytes(16).toString('hex'))]
    const mail = heard(other)
    const { term } = await a.claim(0, undefined, undefined)
    expect((await other.claim(0, undefined, undefined)).isNew).toBe(true)
    await a.publish(term, 'all', 'ours', 'ours')
    const client = new Redis(redis.port)
    const keys = await client.keys('*')
    const lives = await Promise.all(keys.map(async (key) => client.pttl(key)))
    await client.quit()
    expect(keys.length).toBeGreaterThanOrEqual(5)
    expect(keys.filter((key) => !/^assist-harness:\{[0-9a-f]{32}\}:v1:\w+$/.test(key))).toEqual([])
    expect(lives.filter((life) => life <= 0)).toEqual([])
    expect(mail.texts).toEqual([])
  })

  test('says when the connection breaks and when it stands again', async () => {
    const a = await join('aa')
    const states: boolean[] = []
    a.onConnection((isUp) => states.push(isUp))
    await redis.stop()
    while (states.length < 1) await sleep(5)
    await expect(a.claim(0, undefined, undefined)).rejects.toThrow()
    await redis.start()
    while (states.length < 2) await sleep(5)
    expect(states).toEqual([false, true])
    expect(await a.claim(5, undefined, undefined)).toMatchObject({ term: '6:aa', isNew: true })
  })

  test('goes where its address leads once the one there takes no writes any more', async () => {
    const [master, next] = [await startRedis(), await startRedis()]
    let to = master.port
    const way = createServer((socket) => {
      const onward = connect(to, '127.0.0.1')
      for (const [one, other] of [
        [socket, onward],
        [onward, socket],
      ] as const)
        one
          .on('error', () => undefined)
          .on('close', () => other.destroy())
          .pipe(other)
    }).listen(0, '127.0.0.1')
    await once(way, 'listening')
    const a = await join('aa', organization, (way.address() as AddressInfo).port)
    await a.claim(0, undefined, undefined)
    to = next.port
    const client = new Redis(master.port)
    await client.replicaof('127.0.0.1', next.port)
    await client.quit()
    await expect(a.claim(1, undefined, '1:aa')).rejects.toThrow('READONLY')
    let claim: Claim | undefined
    while (claim === undefined) {
      claim = await a.claim(1, undefined, '1:aa').catch(() => undefined)
      await sleep(20)
    }
    expect(claim).toMatchObject({ term: '2:aa', isNew: true })
    const mail = heard(a)
    expect(await a.publish(claim.term, 'all', 'here')).toBe(1)
    await mail.until(1)
    await a.close()
    way.close()
    await Promise.all([master.close(), next.close()])
  })

  test('a listener that is not let in again is no end: it hears once it is', async () => {
    const client = new Redis(redis.port)
    const rights = ['~assist-harness:*', '&assist-harness:*', '+@all']
    await client.acl('SETUSER', 'ann', 'reset', 'on', `>${PASSWORD}`, ...rights)
    const a = await join('aa', organization, redis.port, 'ann')
    const states: boolean[] = []
    a.onConnection((isUp) => states.push(isUp))
    await client.acl('SETUSER', 'ann', '-subscribe')
    await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    while (states.length < 1) await sleep(5)
    await sleep(300)
    await expect(a.claim(0, undefined, undefined)).rejects.toThrow(/NOPERM/)
    expect(states).toEqual([false])
    await client.acl('SETUSER', 'ann', '+subscribe')
    const { term } = await a.claim(0, undefined, undefined)
    expect(states).toEqual([false, true])
    expect(await a.publish(term, 'all', 'here')).toBe(1)
    await client.quit()
  })

  test('who hears is told what no memory is left to keep for the next', async () => {
    const full = await startRedis()
    const a = await join('aa', organization, full.port)
    const { term } = await a.claim(0, undefined, undefined)
    const client = new Redis(full.port)
    await client.config('SET', 'maxmemory', '1')
    expect(await a.publish(term, 'all', 'told', 'kept')).toBe(1)
    await client.quit()
    await full.close()
  })
})
