// The pacing state of an organization in one key of Redis (6 or newer). Its processes read, step and write it
// back by compare-and-set. All times follow Redis's clock.
import { Redis } from 'ioredis'
import type { Clock } from '../domain/clock.ts'
import { duration } from '../domain/format.ts'
import { BATCH_MS, GONE_MS, KEPT_MS } from './constants.ts'
import { type Act, type Stepped, type PaceStore, StoreError } from './limiter.ts'
import type { PaceState } from './state.ts'

/** Is part of the key: processes with another format do not share a state. */
const FORMAT = 'v9'
/** Matches what Redis says at a start, failover or script, which ends soon; older ones behind a sign. */
const TRANSIENT = /(^|-)(LOADING|BUSY|TRYAGAIN|MASTERDOWN|CLUSTERDOWN|NOREPLICAS) /

/**
 * Writes if nobody else has. KEYS: state. ARGV: the version that the writer read, the text to write (empty:
 * only read), time to live. The text begins with its version; 0 is that of a missing key. Returns Redis's
 * clock, and on a conflict the current text (nil if missing).
 */
const COMPARE_AND_SET = `
local time = redis.call('TIME')
local now = string.format('%.1f', time[1] * 1000 + time[2] / 1000)
local kept = redis.call('GET', KEYS[1])
if (kept and kept:match('^%d+') or '0') ~= ARGV[1] then return { now, kept } end
if ARGV[2] ~= '' then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return { now }
`

export interface RedisStore extends PaceStore {
  readonly isFound: boolean
  close(last: (state: PaceState, now: number) => PaceState): Promise<void>
}

/**
 * Opens a store at `url`, `redis:` or `rediss:`. `organization` is a hash, so that Redis does not learn the
 * name; `fresh` is the state if there is none yet. Rejects with a StoreError if Redis cannot be used; no
 * message contains a user name or a password.
 */
export async function openRedisStore(
  url: URL,
  organization: string,
  fresh: PaceState,
  clock: Clock,
): Promise<RedisStore> {
  const client = await connect(url)
  const key = `assist-harness:{${organization}}:${FORMAT}`
  const kept = new KeptState({ client, key, place: hostOf(url), clock }, fresh)
  const lost = new AbortController()
  let isFound: boolean
  try {
    isFound = await kept.open()
  } catch (error) {
    client.disconnect()
    throw error
  }
  return {
    now: () => kept.now(),
    state: () => kept.state,
    isFound,
    step: (act, onStepped) =>
      void kept
        .run(act)
        .then(onStepped)
        .catch((error: unknown) => lost.abort(error)),
    lost: lost.signal,
    close: async (last) => {
      const goodbye: Act<Stepped> = (state, now) => ({ state: last(state, now) })
      if (!lost.signal.aborted) await within(GONE_MS, kept.run(goodbye)).catch(() => undefined)
      client.disconnect()
    },
  }
}

interface KeyInRedis {
  readonly client: Redis
  readonly key: string
  readonly place: string
  readonly clock: Clock
}

/** Holds the state in Redis as this process knows it. */
class KeptState {
  readonly #in: KeyInRedis
  readonly #time: ReturnType<typeof createRemoteClock>
  #state: PaceState
  /** Is a version that no text has: the first call reads. */
  #version = -1
  /** Is the origin of the state's times on Redis's clock. */
  #origin: number | undefined

  constructor(where: KeyInRedis, fresh: PaceState) {
    this.#in = where
    this.#time = createRemoteClock(where.clock)
    this.#state = fresh
  }

  get state(): PaceState {
    return this.#state
  }

  now(): number {
    return this.#time.now() - (this.#origin ?? 0)
  }

  async open(): Promise<boolean> {
    await this.#compareAndSet('')
    const isFound = this.#version > 0
    // That Redis accepts writes is known before the first call, in its words: a script's errors hide some.
    const { client, key } = this.#in
    const text = this.#text(1, this.#state)
    const answer = await this.#ask(async () => client.set(key, text, 'PX', KEPT_MS, 'NX'))
    if (answer === 'OK') this.#version = 1
    return isFound
  }

  async run<T extends Stepped>(act: Act<T>): Promise<T> {
    const value = act(this.#state, this.now())
    const isChanged = value.state !== this.#state
    const text = isChanged ? this.#text(this.#version + 1, value.state) : ''
    if (!(await this.#compareAndSet(text))) return this.run(act)
    if (isChanged) {
      this.#version += 1
      this.#state = value.state
    }
    return value
  }

  #text(version: number, state: PaceState): string {
    return `${version} ${this.#origin} ${JSON.stringify(state)}`
  }

  /** Returns false on a conflict; the state is then the other process's. */
  async #compareAndSet(text: string): Promise<boolean> {
    const { client, key, place, clock } = this.#in
    const [now, kept] = await this.#ask(async () => {
      const sentAt = clock.now()
      const reply = await client.eval(COMPARE_AND_SET, 1, key, this.#version, text, KEPT_MS)
      const answer = reply as [string, (string | null)?]
      this.#time.note(sentAt, Number(answer[0]))
      return answer
    })
    this.#origin ??= Number(now)
    // Redis came back empty: write what this process knows.
    if (kept === null) {
      this.#version = 0
      return this.#compareAndSet(text)
    }
    if (kept !== undefined) {
      const read = readState(kept)
      if (read === undefined)
        throw new StoreError(`the key ${key} in Redis at ${place} holds no pacing state: delete it`)
      this.#version = read.version
      this.#origin = read.origin
      this.#state = read.state
    }
    this.#continueTime()
    return kept === undefined
  }

  /** Lets time go on if Redis's clock was set back: sending would stop until it is there again. */
  #continueTime(): void {
    const behindMs = this.#state.steppedAt - this.now()
    if (behindMs > GONE_MS) this.#origin = (this.#origin ?? 0) - behindMs
  }

  /** Sends a command again that Redis does not carry out at the moment, for as long as it may be silent. */
  async #ask<T>(command: () => Promise<T>, since = this.#in.clock.now()): Promise<T> {
    try {
      return await command()
    } catch (error) {
      if (!(error instanceof Error && error.name === 'ReplyError')) throw new StoreError('Redis is lost')
      if (!TRANSIENT.test(error.message) || this.#in.clock.now() - since > GONE_MS)
        throw new StoreError(
          // Redis's own words, without the place in our script.
          `Redis at ${this.#in.place} refuses to share the pace: ` +
            error.message.replace(/\.?( script: \w+, on @user_script:\d+\.?)?$/, ''),
        )
      await new Promise((resolve) => {
        setTimeout(resolve, BATCH_MS)
      })
      return this.#ask(command, since)
    }
  }
}

export const hostOf = ({ hostname, port }: URL): string => `${hostname}:${port === '' ? 6379 : port}`

/** Reads the text's version, the origin of its times, and the state, if the text is of that form. */
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

function createRemoteClock(clock: Clock) {
  let [offset, meanMs] = [0, Infinity]
  return {
    note: (sentAt: number, remote: number): void => {
      const latestMs = clock.now() - sentAt
      // A fast reply has an exact offset (NTP's clock filter, RFC 5905, 10).
      if (latestMs <= meanMs) offset = remote - sentAt - latestMs / 2
      meanMs = meanMs === Infinity ? latestMs : (meanMs + latestMs) / 2
    },
    now: (): number => clock.now() + offset,
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
    throw new StoreError(`Redis at ${hostOf(url)} cannot be used: ${message}; is ASSIST_REDIS_URL right?`)
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
