// `load`: sends threads by a timetable instead of a pace, or searches for the organization's limit.
import { inferLimit } from '../analysis/limit/infer.ts'
import { createSearchFold } from '../analysis/limit/search-report.ts'
import { createLoadCounts } from '../analysis/load/counts.ts'
import { doubtText, type LimitFinding } from '../domain/limit.ts'
import type { FindLimitSettings, LoadModel, LoadSettings, Stage } from '../domain/load.ts'
import { isLoopback } from '../domain/loopback.ts'
import { asTyped, optionError, UsageError } from '../options/faults.ts'
import type { LoadManifest, SearchManifest } from '../options/manifest.ts'
import { type CommandOptions, type RunSettings, withDefaults } from '../options/settings.ts'
import { announcedRules } from '../pace/observation.ts'
import { sessionClock } from '../runner/clock.ts'
import { findLimit } from '../runner/find-limit.ts'
import { runLoad } from '../runner/load.ts'
import { createRandomStreams } from '../stats/random.ts'
import { defaultFolder, rejectTaken, runFolder } from '../store/folder.ts'
import { type Job, readJob, type SendingOptions } from './job.ts'
import { checkThresholds } from './judging.ts'
import { withMetrics } from './metrics.ts'
import { type Ports, realPorts } from './ports.ts'
import { openSets } from './question-sets.ts'
import type { LimitResult, LoadResult } from './report.ts'
import { planSession, type Schedule, Session, type SessionPlan } from './session.ts'
import { openSandbox, resolveTarget } from './targets.ts'

export type LoadOptions = CommandOptions<'load'> & SendingOptions

export async function load(
  options: LoadOptions,
  ports: Ports = realPorts(),
): Promise<LoadResult | LimitResult> {
  const job = readJob('load', options, ports)
  try {
    const measured = await withMetrics(job)
    const { session, schedule } = await openLoad(measured)
    session.open()
    await session.send(schedule)
    const { concludeLoad } = await import('./report.ts')
    const { recording, manifest } = session.plan
    const write = async () => concludeLoad(runFolder(recording.path), manifest, session.stop)
    return await session.conclude(write)
  } finally {
    await job.close()
  }
}

/** Finds everything that can be wrong before it makes a folder or sends a call. */
async function openLoad(job: Job) {
  const { datasets, sandbox, ports } = job
  const [named, ...others] = job.targets
  if (others.length > 0)
    throw new UsageError('load sends to one target: choose one with --target, or start one test for each')
  const { settings } = named
  const { threshold = [], out, maxCalls } = settings
  const planned = settings.findLimit === true ? planSearch(settings) : planLoad(settings)
  if (planned.kind === 'load') checkThresholds(threshold, 'load')
  const resolved = sandbox === false ? resolveTarget(named, job) : undefined
  const baseUrl = resolved?.address.baseUrl ?? ''
  if (resolved !== undefined && maxCalls === undefined && !isLoopback(new URL(baseUrl).hostname))
    throw optionError(
      'maxCalls',
      `is missing: ${baseUrl} is not on this machine, and its calls count toward a quota; ` +
        'set a limit, like --max-calls 300',
    )
  const opened = await openSets(datasets, job.settings, job)
  if (out !== undefined) rejectTaken(out)
  const target = resolved ?? (await openSandbox(settings, job))
  const clock = sessionClock(ports.clock)
  const path = out ?? defaultFolder(datasets, new Date(clock.wall()))
  const made = await planSession(path, target, opened, clock, job)
  // A load test has no pace and no restarts.
  const options = { ...made.manifest.options, rate: 'unlimited', onAmbiguous: 'fail' as const }
  if (planned.kind === 'load') {
    const concurrency = planned.load.maxInFlight
    const manifest = { ...made.manifest, ...planned, options: { ...options, concurrency } }
    const plan = { ...made, manifest }
    return { session: new Session(plan, job), schedule: byTimetable(plan, ports) }
  }
  const { maxInFlight: concurrency, budget } = planned.findLimit
  const manifest = { ...made.manifest, ...planned, options: { ...options, concurrency, maxCalls: budget } }
  const plan = { ...made, manifest }
  return { session: new Session(plan, job), schedule: bySearch(plan, ports) }
}

function rejectBeside(
  settings: RunSettings,
  option: keyof RunSettings,
  others: readonly (keyof RunSettings)[],
  why: string,
): void {
  const other = others.find((name) => settings[name] !== undefined)
  if (other !== undefined) throw optionError(option, `cannot be used with ${asTyped(other)}: ${why}`)
}

function planSearch(settings: RunSettings): { kind: 'search'; findLimit: FindLimitSettings } {
  // It decides by itself what to send, and needs every answer before it sends more.
  const others = ['arrivalRate', 'stages', 'users', 'thinkTime'] as const
  rejectBeside(settings, 'findLimit', others, 'the search chooses the rate')
  const { maxCalls: budget = 2000, duration: maxMs = 10 * 60_000, maxInFlight = 64 } = settings
  return { kind: 'search', findLimit: { budget, maxMs, maxInFlight, maxPerSecond: 50 } }
}

function planLoad(settings: RunSettings): { kind: 'load'; load: LoadSettings } {
  const { users, duration: durationMs, maxInFlight, thinkTime, seed } = withDefaults(settings)
  const rest = { thinkTime, seed, gracefulStopMs: 30_000 }
  if (users === undefined)
    return { kind: 'load', load: { model: planArrivals(settings), maxInFlight, ...rest } }
  const others = ['arrivalRate', 'stages', 'maxInFlight'] as const
  rejectBeside(settings, 'users', others, 'a user sends when the last answer has arrived')
  if (durationMs === undefined) throw optionError('users', 'needs --duration, like --users 10 --duration 5m')
  return { kind: 'load', load: { model: { kind: 'closed', users, durationMs }, maxInFlight: users, ...rest } }
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

function byTimetable({ manifest, threads }: SessionPlan<LoadManifest>, ports: Ports): Schedule {
  const { options, runId, load: plan } = manifest
  const counts = createLoadCounts(manifest)
  const { giveUpAfter: giveUpAfterMs, rotatingIds, maxCalls } = options
  const rules = { runId, giveUpAfterMs, rotatingIds, maxCalls: maxCalls ?? undefined }
  return {
    pace: null,
    count: counts.add,
    progress: (now) => ({ of: 'load', snapshot: counts.snapshot(now) }),
    send: async (attemptPorts, stop) => {
      const random = createRandomStreams(plan.seed)
      return runLoad(threads, { ...attemptPorts, random, clock: ports.timerClock }, plan, rules, stop)
    },
  }
}

function bySearch({ manifest, threads }: SessionPlan<SearchManifest>, ports: Ports): Schedule {
  const { options, runId, findLimit: search } = manifest
  const { budget } = search
  const plan = { ...search, runId, giveUpAfterMs: options.giveUpAfter, rotatingIds: options.rotatingIds }
  const fold = createSearchFold(manifest, announcedRules)
  let finding: LimitFinding | null = null
  let doing = doubtText({ kind: 'limit' }, 0)
  return {
    pace: null,
    count: fold.add,
    progress: (now) => ({ of: 'search', budget, doing, finding, ...fold.progress(now) }),
    send: async (attemptPorts, stop) => {
      const wire = { ...attemptPorts, clock: ports.timerClock }
      return findLimit(
        threads,
        wire,
        plan,
        (calls) => {
          const inferred = inferLimit(calls, fold.announced())
          finding = inferred.finding
          if (inferred.doubt !== undefined) doing = doubtText(inferred.doubt, calls[0]?.sentAt ?? 0)
          return inferred
        },
        stop,
      )
    },
  }
}
