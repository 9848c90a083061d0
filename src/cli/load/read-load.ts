// What a load test offers, from what was said; contradictions are refused with the mend.
import type { LoadModel, LoadOptions, Stage } from '../../domain/load/load-options.ts'
import { createArrivalRate } from '../../runner/load/arrival-rate.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { UsageError } from '../../library/usage-error.ts'

const MOST_IN_FLIGHT = 512
const GRACE_MS = 30_000
/** Threads a second: far above what this generator keeps up with; a timetable of them only fills memory and journal. */
const MOST_PER_SECOND = 20_000

/** What is typed says the model alone: the config file's other model, or shape of it, gives way. */
export function mergeLoadSettings(typed: RunSettings, file: RunSettings): RunSettings {
  const gone = [
    ...(typed.users === undefined ? [] : (['arrivalRate', 'stages', 'arrivals', 'maxInFlight'] as const)),
    ...((typed.arrivalRate ?? typed.stages ?? typed.arrivals ?? typed.maxInFlight) === undefined
      ? []
      : (['users'] as const)),
    ...(typed.stages === undefined ? [] : (['duration'] as const)),
    ...(typed.duration === undefined ? [] : (['stages'] as const)),
  ]
  const kept = Object.entries(file).filter(([name]) => !(gone as readonly string[]).includes(name))
  return { ...Object.fromEntries(kept), ...typed }
}

/** Throws UsageError; nothing was sent. */
export function readLoad(settings: RunSettings): LoadOptions {
  const model = readModel(settings)
  const { thinkTime = { kind: 'constant', ms: 0 }, seed = 1 } = settings
  return {
    model,
    thinkTime,
    seed,
    maxInFlight: model.kind === 'closed' ? model.users : (settings.maxInFlight ?? MOST_IN_FLIGHT),
    gracefulStopMs: GRACE_MS,
  }
}

function readModel(settings: RunSettings): LoadModel {
  const { arrivalRate, stages: given, arrivals = 'constant', duration, users } = settings
  if (users !== undefined) return readUsers(users, settings)
  if (arrivalRate === undefined && given === undefined)
    throw new UsageError(
      'what to offer is missing: say --arrival-rate 2/s --duration 1m, or --stages 1m:5/s, or --users 10 --duration 1m',
    )
  if (given !== undefined && duration !== undefined)
    throw new UsageError(
      '--stages and --duration contradict each other: each stage has its own time; leave out --duration',
    )
  if (given === undefined && duration === undefined)
    throw new UsageError('--arrival-rate needs --duration 1m, or stages like --stages 1m:5/s')
  const stages = given === undefined ? flat(arrivalRate ?? 0, duration ?? 0) : ramps(arrivalRate ?? 0, given)
  const { expected, peak } = createArrivalRate(stages)
  if (expected === 0)
    throw new UsageError('no thread would arrive at a rate of 0; raise --arrival-rate, or a rate of --stages')
  if (peak > MOST_PER_SECOND)
    throw new UsageError(
      `${given === undefined ? '--arrival-rate' : '--arrival-rate and --stages'} may be ${MOST_PER_SECOND}/s at the most: one generator cannot send threads faster; lower the rate`,
    )
  return { kind: 'open', stages, arrivals }
}

function readUsers(users: number, settings: RunSettings): LoadModel {
  const { arrivalRate, stages, arrivals, maxInFlight, duration } = settings
  const other = Object.entries({ 'arrival-rate': arrivalRate, stages, arrivals }).find(
    ([, said]) => said !== undefined,
  )
  if (other !== undefined)
    throw new UsageError(
      `--users and --${other[0]} contradict each other: users in a loop come when their last answer has; leave one out`,
    )
  if (maxInFlight !== undefined)
    throw new UsageError(
      `--users ${users} has at most ${users} calls in flight by itself; leave out --max-in-flight`,
    )
  if (duration === undefined) throw new UsageError('--users needs --duration, like --users 10 --duration 5m')
  return { kind: 'closed', users, durationMs: duration }
}

const flat = (rate: number, durationMs: number): Stage[] => [{ durationMs, from: rate, to: rate }]

function ramps(start: number, given: NonNullable<RunSettings['stages']>): Stage[] {
  return given.map(({ durationMs, to }, place) => ({ durationMs, from: given[place - 1]?.to ?? start, to }))
}
