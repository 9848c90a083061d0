// What a search for the limit may use, from what was said; what belongs to a load test is refused with the mend.
import type { FindLimitSettings } from '../../domain/load/find-limit.ts'
import { parseRate } from '../../pace/rate.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { UsageError } from '../../library/usage-error.ts'

const DEFAULTS = { budget: 600, maxMs: 10 * 60_000, maxInFlight: 64, maxPerSecond: 50 } as const
/** For a second limit, of a minute most often, behind the one that was found: a part of the time, but no longer. */
const LONGEST_WATCH_MS = 90_000
const WATCH_PART = 0.15

/** What a load test offers and how it is judged: a search decides for itself what it sends. */
const NOT_HERE = {
  arrivalRate: '--arrival-rate',
  stages: '--stages',
  arrivals: '--arrivals',
  users: '--users',
  thinkTime: '--think-time',
  threshold: '--threshold',
} as const satisfies Partial<Record<keyof RunSettings, string>>

/** Whether the limit is sought. A load that was typed wins over a search of the config file. */
export function isSearch(typed: RunSettings, file: RunSettings): boolean {
  if (typed.findLimit !== undefined) return typed.findLimit
  return file.findLimit === true && (typed.arrivalRate ?? typed.stages ?? typed.users) === undefined
}

/** A load that the config file offers gives way to a search that was typed; how a run is judged says nothing here. */
export function mergeFindLimitSettings(typed: RunSettings, file: RunSettings): RunSettings {
  const isTyped = typed.findLimit === true && file.findLimit !== true
  const gone: readonly string[] = isTyped ? [...Object.keys(NOT_HERE), 'duration'] : ['threshold']
  const kept = Object.entries(file).filter(([name]) => !gone.includes(name))
  return { ...Object.fromEntries(kept), ...typed }
}

/** Throws UsageError; nothing was sent. */
export function readFindLimit(settings: RunSettings): FindLimitSettings {
  const odd = Object.entries(NOT_HERE).find(([name]) => settings[name as keyof RunSettings] !== undefined)
  if (odd !== undefined)
    throw new UsageError(
      `--find-limit and ${odd[1]} contradict each other: the search decides by itself when it asks; leave ${odd[1]} out`,
    )
  const { maxCalls, duration, maxInFlight, maxRate } = settings
  const rate = maxRate === undefined ? undefined : parseRate(maxRate)
  const maxMs = duration ?? DEFAULTS.maxMs
  return {
    budget: maxCalls ?? DEFAULTS.budget,
    maxMs,
    maxInFlight: maxInFlight ?? DEFAULTS.maxInFlight,
    maxPerSecond: rate?.kind === 'known' ? rate.perSecond : DEFAULTS.maxPerSecond,
    watchMs: Math.min(LONGEST_WATCH_MS, WATCH_PART * maxMs),
  }
}
