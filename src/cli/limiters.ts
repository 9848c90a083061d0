// One limiter for each organization among the targets.
import { createHash } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createLimiter } from '../pace/create.ts'
import type { Limiter } from '../pace/limiter.ts'
import { joinPresence } from '../pace/presence.ts'
import { parseRate, type Rate } from '../pace/rate.ts'
import { realClock } from './clock.ts'
import type { RunSettings } from './options/run-options.ts'
import type { Target } from './targets.ts'

export interface Limiters {
  readonly byOrganization: ReadonlyMap<string, Limiter>
  close(): void
}

/** Limiters that split their pace with those of other processes of the same organization on this machine. */
export function openLimiters(targets: readonly Target[]): Limiters {
  const byOrganization = createLimiters(targets)
  const presences = [...byOrganization].map(([organization, limiter]) =>
    joinPresence(meetingPlace(organization), process.pid, (processes) => limiter.splitAmong(processes)),
  )
  return {
    byOrganization,
    close: () => {
      for (const presence of presences) presence.leave()
      for (const limiter of byOrganization.values()) limiter.close()
    },
  }
}

/** The user's own: other users of the machine cannot be trusted to play along. */
function meetingPlace(organization: string): string {
  const name = createHash('sha256').update(organization).digest('hex').slice(0, 16)
  return join(tmpdir(), `assist-harness-${userInfo().uid}`, name)
}

/** One limiter an organization: the slowest known rate and the lowest concurrency that its targets ask for. */
function createLimiters(targets: readonly Target[]): Map<string, Limiter> {
  const organizations = new Set(targets.map(({ organization }) => organization))
  return new Map(
    [...organizations].map((organization) => {
      const members = targets.filter((target) => target.organization === organization)
      const counts = members.flatMap(({ settings: { concurrency } }) =>
        typeof concurrency === 'number' ? [concurrency] : [],
      )
      const concurrency = counts.length === 0 ? 'auto' : Math.min(...counts)
      const rate = members.map(({ settings }) => rateOf(settings)).reduce(slower)
      const start = least(members.map(({ settings }) => startOf(settings)))
      const share = least(members.map(({ settings }) => settings.share))
      return [organization, createLimiter({ rate, concurrency, start, share }, realClock, Math.random)]
    }),
  )
}

function least(values: readonly (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined)
  return given.length === 0 ? undefined : Math.min(...given)
}

export function startOf({ startRate }: RunSettings): number | undefined {
  const parsed = startRate === undefined ? undefined : parseRate(startRate)
  return parsed?.kind === 'known' ? parsed.perSecond : undefined
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
