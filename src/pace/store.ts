// The pacing state of an organization in one key of Redis (6 or newer). Its processes read, step and write it
// back by compare-and-set. All times follow Redis's clock.
import { Redis } from 'ioredis'
import type { Clock } from '../domain/clock.ts'
import { duration } from '../domain/format.ts'
import { BATCH_MS, GONE_MS, KEPT_MS } from './constants.ts'
import { type Act, type Stepped, type Store, StoreError } from './limiter.ts'
import type { PaceState } from './state.ts'

/** Part of the key: processes with another format do not share a state. */
const FORMAT = 'v7'
/**
 * What Redis says while it starts, fails over, or runs a script: it may do the same soon. Older ones put it
 * behind a sign.
 */
const TRANSIENT = /(^|-)(LOADING|BUSY|TRYAGAIN|MASTERDOWN|CLUSTERDOWN|NOREPLICAS) /

/**
 * KEYS: state. ARGV: the version that the writer read, the text to write (empty: only read), time to live.
 * The text begins with its version; 0 is the version of a missing key. Returns Redis's clock, and on a
 * conflict the current text (nil if missing).
 */
const COMPARE_AND_SET = `
local time = redis.call('TIME')
local now = string.format('%.1f', time[1] * 1000 + time[2] / 1000)
local kept = redis.call('GET', KEYS[1])
if (kept and kept:match('^%d+') or '0') ~= ARGV[1] then return { now, kept } end
if ARGV[2] ~= '' then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return { now }
`

export interface RedisStore extends Store {
  /** Whether Redis held a state. */
  readonly isFound: boolean
  /** Steps a last time. */
  close(last: (state: PaceState, now: number) => PaceState): Promise<void>
}

/**
 * `url`: `redis:` or `rediss:`. `organization`: a hash, so that Redis does not learn the name. `fresh`: the
 * state if there is none yet. Rejects with a StoreError if Redis cannot be used; no message contains a user
 * name or a password.
 */
export async function openRedisStore(
  url: URL,
  organization: string,
  fresh: PaceState,
  clock: Pick<Clock, 'now'>,
): Promise<RedisStore> {
  const client = await connect(url)
  const key = `assist-harness:{${organization}}:${FORMAT}`
  const lost = new AbortController()
  const time = createRemoteClock(clock)
  let state = fresh
  // No text has this version: the first call reads.
  let version = -1
  /** Origin of the state's times on Redis's clock. */
  let origin: number | undefined

  /** Sends a command again that Redis does not carry out at the moment, for as long as it may be silent. */
  const ask = async <T>(command: () => Promise<T>, since = clock.now()): Promise<T> => {
    try {
      return await command()
    } catch (error) {
      if (!(error instanceof Error && error.name === 'ReplyError')) throw new StoreError('Redis is lost')
      if (!TRANSIENT.test(error.message) || clock.now() - since > GONE_MS)
        throw new StoreError(`Redis at ${placeOf(url)} refuses to share the pace: ${wordsOf(error)}`)
      await new Promise((resolve) => {
        setTimeout(resolve, BATCH_MS)
      })
      return ask(command, since)
    }
  }

  /** False on a conflict; `state` is then the other process's. */
  const compareAndSet = async (text: string): Promise<boolean> => {
    const [now, kept] = await ask(async () => {
      const sentAt = clock.now()
      const reply = await client.eval(COMPARE_AND_SET, 1, key, version, text, KEPT_MS)
      const answer = reply as [string, (string | null)?]
      time.note(sentAt, Number(answer[0]))
      return answer
    })
    origin ??= Number(now)
    if (kept === undefined) {
      continueTime()
      return true
    }
    // Redis came back empty: write what this process knows.
    if (kept === null) {
      version = 0
      return compareAndSet(text)
    }
    const read = readState(kept)
    if (read === undefined)
      throw new StoreError(`the key ${key} in Redis at ${placeOf(url)} holds no pacing state: delete it`)
    ;({ version, origin, state } = read)
    continueTime()
    return false
  }
  /**
   * If Redis's clock was set back, the time of the state goes on from its latest step, or sending would stop
   * until Redis's clock is there again.
   */
  const continueTime = (): void => {
    const behindMs = state.steppedAt - now()
    if (behindMs > GONE_MS) origin = (origin ?? 0) - behindMs
  }
  const now = (): number => time.now() - (origin ?? 0)
  const run = async <T extends Stepped>(act: Act<T>): Promise<T> => {
    const value = act(state, now())
    const isChanged = value.state !== state
    const text = isChanged ? `${version + 1} ${origin} ${JSON.stringify(value.state)}` : ''
    if (!(await compareAndSet(text))) return run(act)
    if (isChanged) [version, state] = [version + 1, value.state]
    return value
  }

  let isFound = false
  try {
    await compareAndSet('')
    isFound = version > 0
    // Whether Redis accepts writes is known before the first call, in its own words: a script's errors hide
    // some of them.
    const text = `1 ${origin} ${JSON.stringify(state)}`
    if ((await ask(async () => client.set(key, text, 'PX', KEPT_MS, 'NX'))) === 'OK') version = 1
  } catch (error) {
    client.disconnect()
    throw error
  }
  return {
    now,
    state: () => state,
    isFound,
    step: (act, onStepped) =>
      void run(act)
        .then(onStepped)
        .catch((error: unknown) => lost.abort(error)),
    shared: { aheadMs: time.roundTripMs, lost: lost.signal },
    close: async (last) => {
      const goodbye: Act<Stepped> = (one, at) => ({ state: last(one, at) })
      if (!lost.signal.aborted) await within(GONE_MS, run(goodbye)).catch(() => undefined)
      client.disconnect()
    },
  }
}

export const placeOf = ({ hostname, port }: URL): string => `${hostname}:${port === '' ? 6379 : port}`

/** Redis's own, without the place in our script. */
const wordsOf = ({ message }: Error): string =>
  message.replace(/\.?( script: \w+, on @user_script:\d+\.?)?$/, '')

/**
 * The version of the text, the origin of its times, and the state; undefined if the text is not of that form.
 */
function readState(text: string) {
  const [, number, from, json = ''] = /^(\d+) (\d+(?:\.\d+)?) (.*)$/s.exec(text) ?? []
  try {
    const state = JSON.parse(json) as PaceState | null
    return typeof state?.sent === 'number'
      ? { version: Number(number), origin: Number(from), state }
      : undefined
  } catch {
    return undefined
  }
}

function createRemoteClock(clock: Pick<Clock, 'now'>) {
  let [offset, meanMs, latestMs] = [0, Infinity, 0]
  return {
    note: (sentAt: number, remote: number): void => {
      latestMs = clock.now() - sentAt
      // A fast reply has an exact offset (NTP's clock filter, RFC 5905, 10).
      if (latestMs <= meanMs) offset = remote - sentAt - latestMs / 2
      meanMs = meanMs === Infinity ? latestMs : (meanMs + latestMs) / 2
    },
    now: (): number => clock.now() + offset,
    /** About how long a step takes: a read that conflicts, then the write. */
    roundTripMs: (): number => Math.min(BATCH_MS, 1 + 2 * latestMs),
  }
}

async function connect(url: URL): Promise<Redis> {
  let isConnected = false
  let trouble: Error | undefined
  const named = new URL(url)
  // Without a user name the client prints a warning if no password is needed.
  if (url.password !== '') named.username ||= 'default'
  const client = new Redis(named.href, {
    protocol: 2,
    lazyConnect: true,
    connectTimeout: GONE_MS,
    commandTimeout: GONE_MS,
    maxRetriesPerRequest: null,
    // It needs a permission (INFO) that we do without.
    enableReadyCheck: false,
    retryStrategy: () => (isConnected ? BATCH_MS : null),
  })
  // An error event without a listener would end the process; a lost connection shows as a timeout.
  client.on('error', (error: Error) => {
    trouble ??= error
  })
  // A TLS connection may fail twice; the client listens for the first failure only.
  client.on('connecting', () => setImmediate(() => client.stream.on('error', () => undefined)))
  const connected = client.connect().then(async () => client.select(Number(url.pathname.slice(1))))
  await within(GONE_MS, connected).catch((error: Error) => {
    client.disconnect()
    const { message } = trouble ?? error
    throw new StoreError(`Redis at ${placeOf(url)} cannot be used: ${message}; is ASSIST_REDIS_URL right?`)
  })
  isConnected = true
  return client
}

async function within<T>(ms: number, task: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${duration(ms)}`)), ms)
  })
  return Promise.race([task, late]).finally(() => clearTimeout(timer))
}
