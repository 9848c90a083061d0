// One limiter for each organization among the targets: in this process, or shared through Redis.
import { createHash, randomBytes } from 'node:crypto'
import { createLimiter, type LimiterOptions } from '../pace/create.ts'
import type { Limiter } from '../pace/limiter.ts'
import { parseRate, type Rate } from '../pace/rate.ts'

export { formatPace } from '../pace/rate.ts'
import type { RedisAddress } from '../pace/shared/redis-bus.ts'
import { realClock } from './clock.ts'
import type { RunSettings } from './options.ts'
import { keepSecret, type Environment } from './secrets.ts'
import type { Target } from './targets.ts'
import { messageOf, optionError, UsageError } from './usage-error.ts'

export interface Limiters {
  readonly of: (target: Target) => Limiter
  readonly close: () => Promise<void>
}

interface Opened {
  readonly limiter: Limiter
  readonly leave: () => Promise<void>
}

/** Throws UsageError where Redis is asked for and cannot be used. */
export async function openLimiters(
  targets: readonly Target[],
  environment: Environment,
  note: (text: string) => void,
): Promise<Limiters> {
  const opened = new Map<string, Opened>()
  const close = async (): Promise<void> => {
    await Promise.all([...opened.values()].map(async ({ leave }) => leave()))
  }
  try {
    for (const { organization } of targets) {
      const settings = targets.filter((one) => one.organization === organization).map((one) => one.settings)
      if (!opened.has(organization))
        opened.set(organization, await openLimiter(organization, settings, environment, note))
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    of: ({ organization }) => {
      const one = opened.get(organization)
      if (one === undefined) throw new Error(`organization ${organization} has no limiter`)
      return one.limiter
    },
    close,
  }
}

/** Through Redis where one of the organization's targets says so. */
async function openLimiter(
  organization: string,
  settings: readonly RunSettings[],
  environment: Environment,
  note: (text: string) => void,
): Promise<Opened> {
  const options = strictest(settings)
  if (settings.every(({ limiter = 'local' }) => limiter === 'local')) {
    const limiter = createLimiter(options, realClock, Math.random)
    return { limiter, leave: async () => limiter.close() }
  }
  return openShared(organization, options, readRedisAddress(environment), note)
}

/** The slowest rate, the lowest concurrency and the smallest share that an organization's targets ask for. */
function strictest(settings: readonly RunSettings[]): LimiterOptions {
  const least = (values: readonly (number | string | undefined)[]): number | undefined => {
    const numbers = values.filter((value) => typeof value === 'number')
    return numbers.length === 0 ? undefined : Math.min(...numbers)
  }
  return {
    rate: settings.map(rateOf).reduce(slower),
    concurrency: least(settings.map(({ concurrency }) => concurrency)) ?? 'auto',
    share: least(settings.map(({ share }) => share)),
  }
}

export function rateOf({ rate = 'auto' }: RunSettings): Rate {
  const parsed = parseRate(rate)
  if (parsed === undefined) throw new Error(`the rate ${rate} was checked before and is none`)
  return parsed
}

/** Known is stricter than auto, auto than unlimited. */
function slower(a: Rate, b: Rate): Rate {
  if (a.kind === 'known' && b.kind === 'known') return a.perSecond <= b.perSecond ? a : b
  return a.kind === 'known' || (a.kind === 'auto' && b.kind === 'unlimited') ? a : b
}

async function openShared(
  organization: string,
  { rate, concurrency, share = 1 }: LimiterOptions,
  address: RedisAddress,
  note: (text: string) => void,
): Promise<Opened> {
  if (rate.kind === 'unlimited')
    throw optionError(
      'limiter',
      'redis and --rate unlimited contradict each other: there is no pace to share',
    )
  const { connectBus } = await import('../pace/shared/redis-bus.ts')
  const { createParticipant } = await import('../pace/shared/participant.ts')
  const place = `${address.host}:${address.port}`
  const id = randomBytes(8).toString('hex')
  const lost = new AbortController()
  try {
    const bus = await connectBus({
      address,
      organization: createHash('sha256').update(organization).digest('hex').slice(0, 32),
      id,
    })
    const participant = createParticipant({
      id,
      bus,
      clock: realClock,
      random: Math.random,
      rules: {
        perSecond: rate.kind === 'known' ? rate.perSecond : undefined,
        concurrency: concurrency === 'auto' ? undefined : concurrency,
        share,
      },
      onLost: (words) => {
        note(`${words} (${place})`)
        lost.abort(words)
      },
      onTrouble: () => undefined,
    })
    try {
      await participant.join()
    } catch (error) {
      await participant.leave()
      throw error
    }
    note(`limiter: ${participant.standing() ?? 'shared through Redis'} (${place})`)
    return {
      limiter: { ...participant.limiter, lost: lost.signal },
      leave: async () => participant.leave(),
    }
  } catch (error) {
    throw optionError(
      'limiter',
      `redis: Redis at ${place} cannot be used: ${messageOf(error)}; is ASSIST_REDIS_URL right?`,
    )
  }
}

const EXAMPLE = 'like redis://redis.example.com:6379, or rediss:// for TLS'

/** From the environment alone, so that a password is never an argument. No message repeats the variable: a password may stand in it. */
export function readRedisAddress(environment: Environment): RedisAddress {
  const text = environment['ASSIST_REDIS_URL']?.trim() ?? ''
  if (text === '')
    throw optionError('limiter', `redis needs the environment variable ASSIST_REDIS_URL, ${EXAMPLE}`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const database = /^\/?(\d{0,4})$/.exec(url?.pathname ?? '')?.[1]
  const isAddress =
    url !== undefined && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && !/[?#]/.test(text)
  if (!isAddress || database === undefined)
    throw new UsageError(
      `ASSIST_REDIS_URL is not the address of a Redis: write it ${EXAMPLE}; a password with other signs than letters and digits is better given in ASSIST_REDIS_PASSWORD`,
    )
  const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value)
  const password = given(environment['ASSIST_REDIS_PASSWORD']) ?? given(decodeURIComponent(url.password))
  if (password !== undefined) keepSecret(password)
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port === '' ? 6379 : Number(url.port),
    tls: url.protocol === 'rediss:',
    database: Number(database),
    username: given(environment['ASSIST_REDIS_USERNAME']) ?? given(decodeURIComponent(url.username)),
    password,
  }
}
