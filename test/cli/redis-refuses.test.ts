// What a Redis that cannot be used says, and what people are told of it: real servers, each set up in its own wrong way.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readRedisAddress } from '../../src/cli/redis-address.ts'
import { openSharedLimiter } from '../../src/cli/shared-limiter.ts'
import { skipsRedis, startRedis, type RedisServer } from '../support/redis-server.ts'

const PASSWORD = 'pass-word-of-a-test'
const LEAST = '+eval +get +set +del +pexpire +time +publish +subscribe +ping'.split(' ')
const OURS = ['~assist-harness:*', '&assist-harness:*']

const servers: RedisServer[] = []
async function serve(...words: string[]): Promise<RedisServer> {
  const server = await startRedis(undefined, words)
  servers.push(server)
  return server
}
async function tell({ port }: RedisServer, ...words: [string, ...string[]]): Promise<unknown> {
  const client = new Redis(port)
  const reply = await client.call(...words)
  await client.quit()
  return reply
}
/** Joins and leaves. What was told, or why it could not be used. */
async function joining(url: string, more: Record<string, string> = {}): Promise<string> {
  const said: string[] = []
  try {
    const { leave } = await openSharedLimiter({
      address: readRedisAddress({ ASSIST_REDIS_URL: url, ...more }),
      organization: 'acme',
      rules: { perSecond: 20, concurrency: undefined, share: 1 },
      say: (line) => said.push(line),
    })
    await leave()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return said.join()
}
const JOINED = /^Limiter: alone on the limit through Redis/

describe.skipIf(skipsRedis)('a Redis that refuses', () => {
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(async (one) => one.close()))
  })

  test('a user needs few rights, and is told which one is missing before anything is sent', async () => {
    const warn = vi.spyOn(console, 'warn')
    const redis = await serve()
    const as = async (...rights: string[]): Promise<string> => {
      await tell(redis, 'ACL', 'SETUSER', 'ann', 'reset', 'on', `>${PASSWORD}`, ...rights)
      return joining(redis.url, { ASSIST_REDIS_USERNAME: 'ann', ASSIST_REDIS_PASSWORD: PASSWORD })
    }
    expect(await as(...OURS, ...LEAST)).toMatch(JOINED)
    for (const right of LEAST) {
      const told = await as(...OURS, ...LEAST.filter((one) => one !== right))
      expect(told).toContain(`does not let this user use the command ${right.slice(1).toUpperCase()};`)
      expect(told).toContain(`allow it ${[...OURS, ...LEAST].join(' ')}`)
    }
    expect(await as('~others:*', '&assist-harness:*', '+@all')).toContain('use keys of assist-harness:*;')
    expect(await as('~assist-harness:*', '&others:*', '+@all')).toContain('use channels of assist-harness:*;')
    // Nothing of the client's own comes to the screen, where a password was not needed either.
    expect(await joining(redis.url, { ASSIST_REDIS_PASSWORD: PASSWORD })).toMatch(JOINED)
    expect(warn.mock.calls).toEqual([])
    warn.mockRestore()
  })

  test.each(['EVAL', 'PEXPIRE', 'SUBSCRIBE'])('the command %s, renamed, is named', async (command) => {
    const redis = await serve('--rename-command', command, '')
    expect(await joining(redis.url)).toContain(`has no command ${command}, which is needed;`)
  })

  test('a user name without a password is used: some need none, and others are told', async () => {
    const redis = await serve()
    const ann = { ASSIST_REDIS_USERNAME: 'ann' }
    const wanting =
      / refuses the user name without a password; set ASSIST_REDIS_PASSWORD, or correct ASSIST_REDIS_USERNAME/
    expect(await joining(redis.url, ann)).toMatch(wanting)
    await tell(redis, 'ACL', 'SETUSER', 'ann', 'on', `>${PASSWORD}`, ...OURS, ...LEAST)
    expect(await joining(redis.url, ann)).toMatch(wanting)
    expect(await joining(redis.url.replace('//', '//ann@'))).toMatch(wanting)
    await tell(redis, 'ACL', 'SETUSER', 'ann', 'nopass')
    expect(await joining(redis.url, ann)).toMatch(JOINED)
    // It is this user who came in, and not the one that needs no name.
    await tell(redis, 'ACL', 'SETUSER', 'ann', '-eval')
    expect(await joining(redis.url, ann)).toContain('does not let this user use the command EVAL;')
  })

  test('one without memory, a replica, and one that closes at once are told for what they are', async () => {
    const [full, replica] = [
      await serve('--maxmemory', '1', '--maxmemory-policy', 'noeviction'),
      await serve('--replicaof', '127.0.0.1 1'),
    ]
    expect(await joining(full.url)).toContain('has no memory left; raise its maxmemory')
    expect(await joining(replica.url)).toContain('is a replica, which takes no writes;')
    await tell(replica, 'CONFIG', 'SET', 'replica-serve-stale-data', 'no')
    expect(await joining(replica.url)).toContain('is a replica, which takes no writes;')
    const closing = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    await once(closing, 'listening')
    const { port } = closing.address() as AddressInfo
    expect(await joining(`redis://127.0.0.1:${port}`)).toContain('it closes the connection; if it speaks TLS')
    closing.close()
  })

  test('one that loads its data is waited for, a few seconds', async () => {
    const loading = ['--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024']
    const redis = await serve('--enable-debug-command', 'yes', '--save', '3600 1000000')
    const again = async (keys: number): Promise<string> => {
      await tell(redis, 'FLUSHALL')
      await tell(redis, 'DEBUG', 'POPULATE', String(keys))
      await tell(redis, 'SAVE')
      await redis.stop()
      await redis.start(loading)
      return joining(redis.url)
    }
    expect(await again(1500)).toMatch(JOINED)
    expect(await again(8000)).toContain('is still loading its data; wait until it has')
  })

  test('of a cluster, the node that keeps the keys of the organization is named, and can be used', async () => {
    const nodes = [await serve('--cluster-enabled', 'yes'), await serve('--cluster-enabled', 'yes')]
    const [one, other] = nodes as [RedisServer, RedisServer]
    expect(await joining(one.url)).toContain('is a node of a cluster that is down or not set up')
    await tell(one, 'CLUSTER', 'ADDSLOTSRANGE', '0', '8191')
    await tell(other, 'CLUSTER', 'ADDSLOTSRANGE', '8192', '16383')
    await tell(one, 'CLUSTER', 'MEET', '127.0.0.1', String(other.port))
    for (const node of nodes)
      await vi.waitFor(
        async () => expect(await tell(node, 'CLUSTER', 'INFO')).toMatch(/cluster_state:ok[^]*known_nodes:2/),
        { timeout: 20_000, interval: 100 },
      )
    const told = await Promise.all(nodes.map(async ({ url }) => joining(url)))
    const owner = told.findIndex((text) => JOINED.test(text))
    expect(told[1 - owner]).toContain(`set ASSIST_REDIS_URL to ${nodes[owner]?.url} in all of them`)
  })
})
