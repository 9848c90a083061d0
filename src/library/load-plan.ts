// What `load` sends: a timetable of arrivals, users in a loop, or a search for the limit.
import type { FindLimitSettings, LoadModel, LoadSettings, Stage } from '../domain/load.ts'
import { isLoopback } from '../endpoint/address.ts'
import { type RunSettings, withDefaults } from '../options/settings.ts'
import { asTyped, optionError, UsageError } from '../options/faults.ts'
import type { Target } from './targets.ts'

const SEARCH = { budget: 2000, maxMs: 10 * 60_000, maxInFlight: 64, maxPerSecond: 50 } as const

const GRACE_MS = 30_000

/** A search decides by itself what to send, and needs every answer before it sends more. */
const NOT_IN_SEARCH = ['arrivalRate', 'stages', 'users', 'thinkTime'] as const
const NOT_WITH_USERS = ['arrivalRate', 'stages', 'maxInFlight'] as const

function rejectBeside(
  settings: RunSettings,
  option: keyof RunSettings,
  others: readonly (keyof RunSettings)[],
  why: string,
): void {
  const other = others.find((name) => settings[name] !== undefined)
  if (other !== undefined) throw optionError(option, `cannot be used with ${asTyped(other)}: ${why}`)
}

export type LoadPlan =
  | { readonly kind: 'load'; readonly load: LoadSettings }
  | { readonly kind: 'search'; readonly findLimit: FindLimitSettings }

export const planFrom = (settings: RunSettings): LoadPlan =>
  settings.findLimit === true
    ? { kind: 'search', findLimit: planSearch(settings) }
    : { kind: 'load', load: planLoad(settings) }

function planSearch(settings: RunSettings): FindLimitSettings {
  rejectBeside(settings, 'findLimit', NOT_IN_SEARCH, 'the search chooses the rate')
  const { maxCalls, duration, maxInFlight } = settings
  return {
    budget: maxCalls ?? SEARCH.budget,
    maxMs: duration ?? SEARCH.maxMs,
    maxInFlight: maxInFlight ?? SEARCH.maxInFlight,
    maxPerSecond: SEARCH.maxPerSecond,
  }
}

export function planLoad(settings: RunSettings): LoadSettings {
  const { users, duration: durationMs, maxInFlight, thinkTime, seed } = withDefaults(settings)
  const rest = { thinkTime, seed, gracefulStopMs: GRACE_MS }
  if (users === undefined) return { model: planArrivals(settings), maxInFlight, ...rest }
  rejectBeside(settings, 'users', NOT_WITH_USERS, 'a user sends when the last answer has arrived')
  if (durationMs === undefined) throw optionError('users', 'needs --duration, like --users 10 --duration 5m')
  return { model: { kind: 'closed', users, durationMs }, maxInFlight: users, ...rest }
}

function planArrivals({ arrivalRate, stages, duration: durationMs }: RunSettings): LoadModel {
  if (stages !== undefined) {
    if (durationMs !== undefined)
      throw optionError('stages', 'cannot be used with --duration: each stage has its own time')
    const from = (index: number): number => stages[index - 1]?.to ?? arrivalRate ?? 0
    return { kind: 'open', stages: stages.map((stage, index): Stage => ({ ...stage, from: from(index) })) }
  }
  if (arrivalRate === undefined)
    throw new UsageError(
      'the load is missing: add --arrival-rate 2/s --duration 1m, --stages 1m:5/s, or ' +
        '--users 10 --duration 1m',
    )
  if (durationMs === undefined)
    throw optionError('arrivalRate', 'needs --duration 1m, or stages like --stages 1m:5/s')
  return { kind: 'open', stages: [{ durationMs, from: arrivalRate, to: arrivalRate }] }
}

/** A load test has no pace and no restarts. */
export const recordedByPlan = (plan: LoadPlan) =>
  ({
    rate: 'unlimited',
    onAmbiguous: 'fail',
    repeat: 1,
    ...(plan.kind === 'load'
      ? { concurrency: plan.load.maxInFlight }
      : { concurrency: plan.findLimit.maxInFlight, maxCalls: plan.findLimit.budget }),
  }) as const

/** Calls to a real endpoint are billed, so the user must limit their number. */
export function requireBudget({ address, settings }: Target): void {
  if (settings.maxCalls !== undefined || isLoopback(new URL(address.baseUrl).hostname)) return
  throw optionError(
    'maxCalls',
    `is missing: ${address.baseUrl} is not on this machine, and its calls count toward a quota; ` +
      'set a limit, like --max-calls 300',
  )
}
