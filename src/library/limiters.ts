// One limiter for each organization: in this process, or shared through Redis.
import { createHash, randomBytes } from 'node:crypto'
import { rateText } from '../domain/format.ts'
import { decoded } from '../endpoint/proxy.ts'
import { recordedOptions } from '../options/manifest.ts'
import { createLimiter, type Limiter, StoreError } from '../pace/limiter.ts'
import { AUTO_CONCURRENCY } from '../pace/constants.ts'
import { paceOf } from '../pace/policy.ts'
import { createSharedState, leave, processesOf, shareWords } from '../pace/processes.ts'
import { parseRate, type PaceRules, strictest } from '../pace/rules.ts'
import { SharedLimiter } from '../pace/shared.ts'
import type { RunSettings } from '../options/settings.ts'
import type { Job } from './job.ts'
import type { Ports } from './ports.ts'
import type { Target } from './targets.ts'
import { optionError, UsageError } from '../options/faults.ts'

/** Gives the limiter of each target. Throws UsageError if a target wants Redis and Redis cannot be used. */
export async function openLimiters(
  targets: readonly Target[],
  job: Job,
): Promise<(target: Target) => Limiter> {
  const opened = new Map<string, Limiter>()
  for (const { organization } of targets) {
    if (opened.has(organization)) continue
    const settings = targets
      .filter((target) => target.organization === organization)
      .map((target) => target.settings)
    const rules = strictest(settings.map(paceRulesOf))
    if (settings.every(({ limiter = 'local' }) => limiter === 'local')) {
      const limiter = createLimiter(rules, job.ports.clock, job.ports.random)
      job.onClose(() => limiter.close())
      opened.set(organization, limiter)
    } else {
      opened.set(organization, await openShared(organization, rules, job))
    }
  }
  return ({ organization }) => {
    const limiter = opened.get(organization)
    if (limiter === undefined) throw new Error(`organization ${organization} has no limiter`)
    return limiter
  }
}

export function paceRulesOf(settings: RunSettings): PaceRules {
  const { rate: written, concurrency, share } = recordedOptions.parse(settings)
  const rate = parseRate(written)
  if (rate === undefined) throw new Error(`the rate ${written} was checked before and is none`)
  return { rate, concurrency: concurrency === 'auto' ? AUTO_CONCURRENCY : concurrency, share }
}

async function openShared(organization: string, rules: PaceRules, job: Job): Promise<Limiter> {
  const { note, onClose, ports } = job
  const url = readRedisUrl(ports)
  if (rules.rate.kind === 'unlimited')
    throw optionError('limiter', 'redis cannot be used with --rate unlimited: there is no pace to share')
  const id = randomBytes(8).toString('hex')
  const name = createHash('sha256').update(organization).digest('hex').slice(0, 32)
  const { openRedisStore, hostOf } = await import('../pace/store.ts')
  const store = await openRedisStore(url, name, createSharedState(rules), ports.clock).catch(
    (error: unknown) => {
      throw error instanceof StoreError ? optionError('limiter', `redis: ${error.message}`) : error
    },
  )
  onClose(async () => store.close((state, now) => leave(state, now, id)))
  const { pace } = store.state()
  const others = processesOf(store.state())
  const known = pace.sent > 0 ? 'starting with the pace of an earlier run' : 'the limit is unknown'
  const start = others > 0 ? `the pace is ${rateText(paceOf(pace).pace)}` : known
  note(`limiter: ${shareWords(others + 1)} through Redis at ${hostOf(url)}; ${start}`)
  const limiter = new SharedLimiter(store, { id, rules, random: ports.random }, ports.clock)
  onClose(() => limiter.close())
  return limiter
}

const EXAMPLE = 'like redis://redis.example.com:6379, or rediss:// for TLS'

/** Reads the URL from the environment, since a password is never an argument; no message repeats it. */
export function readRedisUrl({ env, secrets }: Ports): URL {
  const text = env['ASSIST_REDIS_URL']?.trim() ?? ''
  if (text === '')
    throw optionError('limiter', `redis needs the environment variable ASSIST_REDIS_URL, ${EXAMPLE}`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isAddress =
    url !== undefined &&
    /^rediss?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    !/[?#]|%(?![\da-f]{2})/i.test(text) &&
    [url.username, url.password].every((part) => decoded(part) !== undefined)
  if (!isAddress || !/^\/?\d{0,4}$/.test(url.pathname))
    throw new UsageError(
      `ASSIST_REDIS_URL is not the address of a Redis: write it ${EXAMPLE}; a password's special ` +
        'characters stand as in %23',
    )
  const password = decoded(url.password) ?? ''
  if (password !== '') secrets.keep(password)
  return url
}
