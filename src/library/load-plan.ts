// What `load` sends: a timetable of arrivals, users in a loop, or a search for the limit; and its description, before the first call.
import type { FindLimitSettings, LoadModel, LoadOptions, Stage } from '../domain/load.ts'
import { digits } from '../domain/text.ts'
import { shareOfQuota, type Quota } from '../domain/quota.ts'
import { formatPace } from '../pace/rate.ts'
import { duration, percent } from '../report/format.ts'
import { createArrivalRate, type Conversation } from '../runner/load/timetable.ts'
import type { RunSettings } from './options.ts'
import { asTyped, optionError, UsageError } from './usage-error.ts'

const SEARCH = { budget: 600, maxMs: 10 * 60_000, maxInFlight: 64, maxPerSecond: 50 } as const

const MOST_IN_FLIGHT = 512
const GRACE_MS = 30_000
/** Threads a second; one load generator sends far fewer in time. */
const MOST_PER_SECOND = 20_000

/** Options of a load test that a search does not take: it decides by itself what to send. */
const NOT_IN_SEARCH = ['arrivalRate', 'stages', 'users', 'thinkTime', 'threshold'] as const
const NOT_WITH_USERS = ['arrivalRate', 'stages', 'maxInFlight'] as const

/** Throws UsageError where one of `others` is given beside `option`. */
function rejectBeside(
  settings: RunSettings,
  option: keyof RunSettings,
  others: readonly (keyof RunSettings)[],
  why: string,
): void {
  const other = others.find((name) => settings[name] !== undefined)
  if (other !== undefined) throw optionError(option, `cannot be used with ${asTyped(other)}: ${why}`)
}

/** Throws UsageError. */
export function planSearch(settings: RunSettings): FindLimitSettings {
  rejectBeside(settings, 'findLimit', NOT_IN_SEARCH, 'the search chooses the rate')
  const { maxCalls, duration: maxMs = SEARCH.maxMs, maxInFlight } = settings
  return {
    budget: maxCalls ?? SEARCH.budget,
    maxMs,
    maxInFlight: maxInFlight ?? SEARCH.maxInFlight,
    maxPerSecond: SEARCH.maxPerSecond,
  }
}

/** Throws UsageError. */
export function planLoad(settings: RunSettings): LoadOptions {
  const { users, duration: durationMs, maxInFlight = MOST_IN_FLIGHT } = settings
  const { thinkTime = { kind: 'constant', ms: 0 }, seed = 1 } = settings
  const rest = { thinkTime, seed, gracefulStopMs: GRACE_MS }
  if (users === undefined) return { model: planArrivals(settings), maxInFlight, ...rest }
  rejectBeside(settings, 'users', NOT_WITH_USERS, 'a user sends when the last answer has arrived')
  if (durationMs === undefined) throw optionError('users', 'needs --duration, like --users 10 --duration 5m')
  return { model: { kind: 'closed', users, durationMs }, maxInFlight: users, ...rest }
}

function planArrivals(settings: RunSettings): LoadModel {
  const { arrivalRate, stages: given, duration: durationMs } = settings
  if (arrivalRate === undefined && given === undefined)
    throw new UsageError(
      'the load is missing: add --arrival-rate 2/s --duration 1m, --stages 1m:5/s, or --users 10 --duration 1m',
    )
  if (given !== undefined) rejectBeside(settings, 'stages', ['duration'], 'each stage has its own time')
  else if (durationMs === undefined)
    throw optionError('arrivalRate', 'needs --duration 1m, or stages like --stages 1m:5/s')
  const rate = arrivalRate ?? 0
  const stages = given?.map((one, place): Stage => ({ ...one, from: given[place - 1]?.to ?? rate })) ?? [
    { durationMs: durationMs ?? 0, from: rate, to: rate },
  ]
  const { expected, peak } = createArrivalRate(stages)
  if (expected === 0)
    throw optionError('arrivalRate', 'is 0, so no conversation starts; raise it, or a rate of --stages')
  if (peak > MOST_PER_SECOND)
    throw optionError(
      'arrivalRate',
      `is above ${MOST_PER_SECOND}/s: one machine cannot start conversations faster`,
    )
  return { kind: 'open', stages }
}

/** A load that is typed replaces the one in the config file as a whole. */
export function mergeLoad(typed: RunSettings, file: RunSettings): RunSettings {
  const isTypedLoad = (typed.arrivalRate ?? typed.stages ?? typed.users) !== undefined
  const findLimit = typed.findLimit ?? (file.findLimit === true && !isTypedLoad)
  const gone: readonly string[] = findLimit
    ? [...NOT_IN_SEARCH, ...(file.findLimit === true ? [] : ['duration'])]
    : [
        ...(typed.users === undefined ? [] : NOT_WITH_USERS),
        ...(NOT_WITH_USERS.some((name) => typed[name] !== undefined) ? ['users'] : []),
        ...(typed.stages === undefined ? [] : ['duration']),
        ...(typed.duration === undefined ? [] : ['stages']),
      ]
  const kept = Object.entries(file).filter(([name]) => !gone.includes(name))
  return { ...Object.fromEntries(kept), ...typed, findLimit }
}

/** Sentences that say what is about to be sent. */
export function describeLoad(
  plan: LoadOptions | FindLimitSettings,
  threads: readonly Conversation[],
  maxCalls: number | null,
  quota: Quota | null,
): string[] {
  if (!('model' in plan))
    return [
      `Searching for the organization's limit: at most ${digits(plan.budget)} calls, within ${duration(plan.maxMs)}. Live users may get 429s meanwhile.`,
    ]
  const { model, maxInFlight } = plan
  if (model.kind === 'closed') {
    const most =
      maxCalls === null ? '; --max-calls sets a limit' : `, at most ${digits(maxCalls)} (--max-calls)`
    return [
      `Starting ${digits(model.users)} users for ${duration(model.durationMs)}; the number of calls depends on the answers${most}${shareOf(maxCalls, quota)}.`,
    ]
  }
  const { expected, durationMs, peak } = createArrivalRate(model.stages)
  const arrivals = Math.ceil(expected - 1e-9)
  const calls = callsOf(threads, arrivals)
  return [
    `Starting ${digits(arrivals)} conversations in ${duration(durationMs)}, at most ${formatPace(peak)} and ${digits(maxInFlight)} calls in flight.`,
    `Calls if all are answered: ${digits(calls)}${shareOf(calls, quota)}.`,
    ...(maxCalls !== null && calls > maxCalls
      ? [`The budget of ${digits(maxCalls)} calls (--max-calls) ends the test early.`]
      : []),
  ]
}

/** Calls that so many arrivals make at most; the set is sent in its order, over and over. */
function callsOf(threads: readonly Conversation[], arrivals: number): number {
  const rounds = Math.floor(arrivals / threads.length)
  const left = arrivals % threads.length
  return threads.reduce((sum, { turns }, place) => sum + turns.length * (rounds + (place < left ? 1 : 0)), 0)
}

const shareOf = (calls: number | null, quota: Quota | null): string =>
  calls === null || quota === null ? '' : `, ${percent(shareOfQuota(calls, quota))} of the quota`
