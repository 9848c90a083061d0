// The pacing state of an organization in one key of Redis (6 or newer). Its processes read, step and write it
// back by compare-and-set. All times follow Redis's clock.
import { Redis } from 'ioredis'
import type { Clock } from '../domain/clock.ts'
import { duration } from '../domain/format.ts'
import { GONE_MS, KEPT_MS, LOST_MS, RETRY_MS } from './constants.ts'
import { StoreError } from './limiter.ts'
import type { SharedState } from './processes.ts'
import type { Act, PaceStore, Stepped } from './shared.ts'

/** Is part of the key: processes with another format do not share a state. */
const FORMAT = 'v14'
/** Matches what Redis says at a start, a failover or a long script; older ones behind a sign. */
const PASSING = /(^|-)(LOADING|BUSY|TRYAGAIN|MASTERDOWN|CLUSTERDOWN|NOREPLICAS|READONLY) /

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

/**
 * Opens a store at `url`, `redis:` or `rediss:`. `organization` is a hash, so that Redis does not learn the
 * name; `fresh` is the state if there is none yet. Rejects with a StoreError if Redis cannot be used; no
 * message contains a user name or a password.
 */
export async function openRedisStore(
  url: URL,
  organization: string,
  fresh: SharedState,
  clock: Clock,
): Promise<RedisStore> {
  const store = new RedisStore(await connect(url), url, organization, fresh, clock)
  await store.open()
  return store
}

/** Holds the state in Redis as this process knows it. */
export class RedisStore implements PaceStore {
  readonly #client: Redis
  readonly #place: string
  readonly #key: string
  readonly #clock: Clock
  readonly #lost = new AbortController()
  readonly lost = this.#lost.signal
  #state: SharedState
  /** Is a version that no text has: the first call reads. */
  #version = -1
  /** Is the origin of the state's times on Redis's clock. */
  #origin: number | undefined
  /** Is how far Redis's clock is ahead of ours, and the mean time of an answer. */
  #aheadMs = 0
  #meanMs = Infinity

  constructor(client: Redis, url: URL, organization: string, fresh: SharedState, clock: Clock) {
    this.#client = client
    this.#place = hostOf(url)
    this.#key = `assist-harness:{${organization}}:${FORMAT}`
    this.#clock = clock
    this.#state = fresh
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs - (this.#origin ?? 0)
  }

  state(): SharedState {
    return this.#state
  }

  /** Reads what is there, and writes it back: that Redis accepts writes is known before the first call. */
  async open(): Promise<void> {
    await this.#run((state) => ({ state: { ...state } })).catch((error: unknown) => {
      this.#client.disconnect()
      throw error
    })
  }

  step<T extends Stepped>(act: Act<T>, onStepped: (value: T) => void): void {
    this.#run(act)
      .then(onStepped)
      .catch((error: unknown) => this.#lost.abort(error))
  }

  async close(last: (state: SharedState, now: number) => SharedState): Promise<void> {
    const goodbye: Act<Stepped> = (state, now) => ({ state: last(state, now) })
    if (!this.lost.aborted) await within(GONE_MS, this.#run(goodbye)).catch(() => undefined)
    this.#client.disconnect()
  }

  async #run<T extends Stepped>(act: Act<T>): Promise<T> {
    const value = act(this.#state, this.now())
    const isChanged = value.state !== this.#state
    const text = isChanged ? `${this.#version + 1} ${this.#origin} ${JSON.stringify(value.state)}` : ''
    if (!(await this.#compareAndSet(text))) return this.#run(act)
    if (isChanged) {
      this.#version += 1
      this.#state = value.state
    }
    return value
  }

  /** Returns false on a conflict; the state is then the other process's, or ours if Redis came back empty. */
  async #compareAndSet(text: string): Promise<boolean> {
    const [now, kept] = await this.#ask(text)
    this.#origin ??= Number(now)
    if (kept === null) this.#version = 0
    else if (kept !== undefined) {
      const read = readState(kept)
      if (read === undefined)
        throw new StoreError(
          `the key ${this.#key} in Redis at ${this.#place} holds no pacing state: delete it`,
        )
      this.#version = read.version
      this.#origin = read.origin
      this.#state = read.state
    }
    // Time goes on if Redis's clock was set back: sending would stop until it is there again.
    const behindMs = this.#state.steppedAt - this.now()
    if (behindMs > GONE_MS) this.#origin -= behindMs
    return kept === undefined
  }

  /**
   * Sends the script again, over a new connection after silence or to a replica, until Redis is lost. If it
   * was carried out and the answer was lost, it meets a conflict: the step is then made twice, and some
   * permits are never used.
   */
  async #ask(text: string, since = this.#clock.now()): Promise<[now: string, kept?: string | null]> {
    try {
      const sentAt = this.#clock.now()
      const reply = await this.#client.eval(COMPARE_AND_SET, 1, this.#key, this.#version, text, KEPT_MS)
      const answer = reply as [string, (string | null)?]
      const tookMs = this.#clock.now() - sentAt
      // A fast reply has an exact offset (NTP's clock filter, RFC 5905, 10).
      if (tookMs <= this.#meanMs) this.#aheadMs = Number(answer[0]) - sentAt - tookMs / 2
      this.#meanMs = this.#meanMs === Infinity ? tookMs : (this.#meanMs + tookMs) / 2
      return answer
    } catch (error) {
      const message = error instanceof Error && error.name === 'ReplyError' ? error.message : undefined
      const isPassing = message === undefined || PASSING.test(message)
      if (!isPassing || this.#clock.now() - since > LOST_MS || this.#client.status === 'end')
        throw new StoreError(
          message === undefined
            ? `no answer from ${this.#place} for ${duration(LOST_MS)}: Redis is lost`
            : // Redis's own words, without the place in our script.
              `Redis at ${this.#place} refuses to share the pace: ` +
                message.replace(/\.?( script: \w+, on @user_script:\d+\.?)?$/, ''),
        )
      if (message === undefined || message.includes('READONLY')) this.#client.stream.destroy()
      await new Promise<void>((resolve) => {
        this.#clock.after(RETRY_MS, resolve)
      })
      return this.#ask(text, since)
    }
  }
}

export const hostOf = ({ hostname, port }: URL): string => `${hostname}:${port === '' ? 6379 : port}`

/** Reads the text's version, the origin of its times, and the state, if the text is of that form. */
function readState(text: string) {
  const [, number, from, json = ''] = /^(\d+) (\d+(?:\.\d+)?) (.*)$/s.exec(text) ?? []
  try {
    const state = JSON.parse(json) as SharedState | null
    return typeof state?.steppedAt === 'number'
      ? { version: Number(number), origin: Number(from), state }
      : undefined
  } catch {
    return undefined
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
    // A command whose connection ends is sent again by the store.
    maxRetriesPerRequest: 0,
    // Both need permissions (INFO, CLIENT) that we do without.
    enableReadyCheck: false,
    disableClientInfo: true,
    retryStrategy: () => (isConnected ? RETRY_MS : null),
  })
  // An error event without a listener would end the process; a lost connection shows as a failed command.
  client.on('error', (error: Error) => {
    trouble ??= error
  })
  // A TLS connection may fail twice; the client listens for the first failure only.
  client.on('connecting', () => setImmediate(() => client.stream.on('error', () => undefined)))
  const database = Number(url.pathname.slice(1))
  // The first command says if a password is missing. SELECT is a permission that few need.
  const connected = client
    .connect()
    .then(async () => (database === 0 ? client.time() : client.select(database)))
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
