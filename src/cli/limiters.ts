// One limiter for each organization among the targets.
import { createLimiter, type LimiterOptions } from '../pace/create.ts'
import type { Limiter } from '../pace/limiter.ts'
import { parseRate, type Rate } from '../pace/rate.ts'
import { realClock } from './clock.ts'
import type { Environment } from './environment.ts'
import type { RunSettings } from '../library/read-options.ts'
import { say } from './output.ts'
import type { Target } from './targets.ts'
import { UsageError } from '../library/usage-error.ts'

export interface Limiters {
  readonly byOrganization: ReadonlyMap<string, Limiter>
  close(): Promise<void>
}

interface Opened {
  readonly limiter: Limiter
  readonly leave: () => Promise<void>
}

/** Throws UsageError where Redis is asked for and cannot be used. */
export async function openLimiters(targets: readonly Target[], environment: Environment): Promise<Limiters> {
  const opened = new Map<string, Opened>()
  const close = async (): Promise<void> => {
    await Promise.all([...opened.values()].map(async ({ leave }) => leave()))
  }
  try {
    for (const organization of new Set(targets.map((target) => target.organization))) {
      const members = targets.filter((target) => target.organization === organization)
      opened.set(organization, await openLimiter(organization, members, environment))
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    byOrganization: new Map([...opened].map(([organization, { limiter }]) => [organization, limiter])),
    close,
  }
}

/** Through Redis where one of the organization's targets says so. */
async function openLimiter(
  organization: string,
  members: readonly Target[],
  environment: Environment,
): Promise<Opened> {
  const options = strictest(members)
  if (!members.some(({ settings }) => settings.limiter === 'redis')) {
    const limiter = createLimiter(options, realClock, Math.random)
    return { limiter, leave: async () => limiter.close() }
  }
  const { rate, concurrency, share = 1 } = options
  if (rate.kind === 'unlimited')
    throw new UsageError(
      '--limiter redis and --rate unlimited contradict each other: without a pace there is nothing to share',
    )
  const { readRedisAddress } = await import('./redis-address.ts')
  const address = readRedisAddress(environment)
  const { openSharedLimiter } = await import('./shared-limiter.ts')
  const shared = await openSharedLimiter({
    address,
    organization,
    rules: {
      perSecond: rate.kind === 'known' ? rate.perSecond : undefined,
      concurrency: concurrency === 'auto' ? undefined : concurrency,
      share,
    },
    say,
  })
  return shared
}

/** The slowest known rate and the lowest concurrency that an organization's targets ask for. */
function strictest(members: readonly Target[]): LimiterOptions {
  const counts = members.flatMap(({ settings: { concurrency } }) =>
    typeof concurrency === 'number' ? [concurrency] : [],
  )
  return {
    rate: members.map(({ settings }) => rateOf(settings)).reduce(slower),
    concurrency: counts.length === 0 ? 'auto' : Math.min(...counts),
    share: least(members.map(({ settings }) => settings.share)),
  }
}

function least(values: readonly (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined)
  return given.length === 0 ? undefined : Math.min(...given)
}

export function rateOf({ rate = 'auto' }: RunSettings): Rate {
  const parsed = parseRate(rate)
  if (parsed === undefined) throw new Error(`the rate ${rate} was checked before and is none`)
  return parsed
}

/** Known is stricter than auto, auto than unlimited. */
function slower(a: Rate, b: Rate): Rate {
  if (a.kind === 'known' && b.kind === 'known') return a.perSecond <= b.perSecond ? a : b
  if (a.kind === 'known' || (a.kind === 'auto' && b.kind === 'unlimited')) return a
  return b
}
