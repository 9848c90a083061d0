// What a load test offers, from what was said; contradictions are refused with the mend.
import type { LoadModel, LoadOptions, Stage } from '../../domain/load/load-options.ts'
import { createArrivalRate } from '../../runner/load/arrival-rate.ts'
import type { RunSettings } from '../options/run-options.ts'
import { UsageError } from '../usage-error.ts'

const MOST_IN_FLIGHT = 512
const GRACE_MS = 30_000
/** Threads a second: far above what this generator keeps up with; a timetable of them only fills memory and journal. */
const MOST_PER_SECOND = 20_000

/** What is typed says the model alone: the config file's other model, or shape of it, gives way. */
export function mergeLoadSettings(typed: RunSettings, file: RunSettings): RunSettings {
  const gone = [
    ...(typed.closed === undefined ? [] : (['arrivalRate', 'stage', 'arrivals', 'maxInFlight'] as const)),
    ...((typed.arrivalRate ?? typed.stage ?? typed.arrivals ?? typed.maxInFlight) === undefined
      ? []
      : (['closed'] as const)),
    ...(typed.stage === undefined ? [] : (['duration'] as const)),
    ...(typed.duration === undefined ? [] : (['stage'] as const)),
  ]
  const kept = Object.entries(file).filter(([name]) => !(gone as readonly string[]).includes(name))
  return { ...Object.fromEntries(kept), ...typed }
}

/** Throws UsageError; nothing was sent. */
export function readLoad(settings: RunSettings): LoadOptions {
  const model = readModel(settings)
  const durationMs = model.kind === 'closed' ? model.durationMs : createArrivalRate(model.stages).durationMs
  const { warmUp = 0, thinkTime = { kind: 'constant', ms: 0 }, seed = 1 } = settings
  if (warmUp >= durationMs)
    throw new UsageError('--warm-up takes the whole test, and nothing would count; shorten it')
  return {
    model,
    thinkTime,
    seed,
    maxInFlight: model.kind === 'closed' ? model.users : (settings.maxInFlight ?? MOST_IN_FLIGHT),
    warmUpMs: warmUp,
    gracefulStopMs: settings.gracefulStop ?? GRACE_MS,
    retry429: settings.retry429 ?? false,
    abortOn: settings.abortOn ?? [],
  }
}

function readModel(settings: RunSettings): LoadModel {
  const { arrivalRate, stage, arrivals = 'constant', duration, closed } = settings
  if (closed !== undefined) return readClosed(closed, settings)
  if (arrivalRate === undefined && stage === undefined)
    throw new UsageError(
      'what to offer is missing: say --arrival-rate 2/s --duration 1m, or --stage 1m:5/s, or --closed 10 --duration 1m',
    )
  if (stage !== undefined && duration !== undefined)
    throw new UsageError(
      '--stage and --duration contradict each other: each stage has its own time; leave out --duration',
    )
  if (stage === undefined && duration === undefined)
    throw new UsageError('--arrival-rate needs --duration 1m, or stages like --stage 1m:5/s')
  const stages = stage === undefined ? flat(arrivalRate ?? 0, duration ?? 0) : ramps(arrivalRate ?? 0, stage)
  const { expected, peak } = createArrivalRate(stages)
  if (expected === 0)
    throw new UsageError('no thread would arrive at a rate of 0; raise --arrival-rate, or a --stage')
  if (peak > MOST_PER_SECOND)
    throw new UsageError(
      `${stage === undefined ? '--arrival-rate' : '--arrival-rate and --stage'} may be ${MOST_PER_SECOND}/s at the most: one generator cannot send threads faster; lower the rate`,
    )
  return { kind: 'open', stages, arrivals }
}

function readClosed(users: number, settings: RunSettings): LoadModel {
  const { arrivalRate, stage, arrivals, maxInFlight, duration } = settings
  const other = Object.entries({ 'arrival-rate': arrivalRate, stage, arrivals }).find(
    ([, said]) => said !== undefined,
  )
  if (other !== undefined)
    throw new UsageError(
      `--closed and --${other[0]} contradict each other: users in a loop come when their last answer has; leave one out`,
    )
  if (maxInFlight !== undefined)
    throw new UsageError(
      `--closed ${users} has at most ${users} calls in flight by itself; leave out --max-in-flight`,
    )
  if (duration === undefined)
    throw new UsageError('--closed needs --duration, like --closed 10 --duration 5m')
  return { kind: 'closed', users, durationMs: duration }
}

const flat = (rate: number, durationMs: number): Stage[] => [{ durationMs, from: rate, to: rate }]

function ramps(start: number, given: NonNullable<RunSettings['stage']>): Stage[] {
  return given.map(({ durationMs, to }, place) => ({ durationMs, from: given[place - 1]?.to ?? start, to }))
}
