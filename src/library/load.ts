// `load`: sends threads by a timetable instead of a pace, or searches for the organization's limit.
import { createSearchFold } from '../analysis/limit/search-report.ts'
import { estimateLimit } from '../analysis/limit/second-rule.ts'
import { createLoadCounts } from '../analysis/load/counts.ts'
import { describeWhole } from '../dataset/select.ts'
import { duration } from '../domain/format.ts'
import type { LimitFinding } from '../domain/limit.ts'
import { WHOLE } from '../domain/shard.ts'
import { optionError, UsageError } from '../options/faults.ts'
import type { LoadManifest, SearchManifest } from '../options/manifest.ts'
import type { CommandOptions, RunSettings } from '../options/settings.ts'
import { announcedRules } from '../pace/hints.ts'
import { sessionClock } from '../runner/clock.ts'
import { findLimit } from '../runner/limit/find-limit.ts'
import { runLoad } from '../runner/load/run-load.ts'
import { createRandomStreams } from '../stats/random.ts'
import { defaultFolder, rejectTaken } from '../store/folder.ts'
import type { LimitResult, LoadResult } from './conclude-load.ts'
import { type Job, readJob, type SendingOptions } from './job.ts'
import { checkThresholds } from './judging.ts'
import { planFrom, recordedByPlan, requireBudget, shardOfLoad } from './load-plan.ts'
import { withMetrics } from './metrics.ts'
import { type Ports, realPorts } from './ports.ts'
import { openSets } from './question-sets.ts'
import { type Sending, sendSession, type Sent } from './send.ts'
import { createManifest, type LoadSession, openSession, recordStart, type Session } from './session.ts'
import { onAbort, unlessStalled } from './signals.ts'
import { openSandbox, resolveTarget } from './targets.ts'

export type LoadOptions = CommandOptions<'load'> & SendingOptions

/** As `runTargets`, by a timetable instead of a pace. */
export async function load(
  options: LoadOptions,
  ports: Ports = realPorts(),
): Promise<LoadResult | LimitResult> {
  const job = readJob('load', options, ports)
  try {
    const measured = await withMetrics(job)
    const session = await unlessStalled('opening the load test', openLoad(measured))
    recordStart([session])
    const sent = await sendLoad(session, measured)
    // Loaded late: the code of the reports would delay the first call.
    const { concludeLoad } = await import('./conclude-load.ts')
    const { concludeSent } = await import('./reports.ts')
    return await concludeSent(sent, job, async () => concludeLoad(sent))
  } finally {
    await job.close()
  }
}

/** Finds everything that can be wrong before it makes a folder or sends a call. */
async function openLoad(job: Job): Promise<LoadSession> {
  const { datasets, sandbox, ports } = job
  const [named, ...others] = job.targets
  if (named === undefined || others.length > 0)
    throw new UsageError('load sends to one target: choose one with --target, or start one test for each')
  const { settings } = named
  const { threshold = [], out } = settings
  rejectPast(settings, job)
  const plan = planFrom(settings)
  const position = plan.kind === 'load' ? shardOfLoad(settings, plan.load) : undefined
  if (plan.kind === 'load') checkThresholds(threshold, 'load')
  const resolved = sandbox === false ? resolveTarget(named, job) : undefined
  if (resolved !== undefined) requireBudget(resolved)
  // Every shard sends the whole set: its arrivals are what is split.
  const { shard: _shard, ...choice } = job.settings
  const whole = await openSets(datasets, choice, job)
  const shard = position && { ...position, whole: describeWhole(whole.all) }
  const opened = { ...whole, shard }
  if (out !== undefined) rejectTaken(out)
  const target = resolved ?? (await openSandbox(settings, job))
  // Everything else is valid by now.
  await untilStart(settings, job, target.name)
  const clock = sessionClock(ports.clock)
  const path = out ?? defaultFolder(datasets, new Date(clock.wall()))
  const made = createManifest(target, path, opened, clock.wall())
  const manifest = { ...made, ...plan, options: { ...made.options, ...recordedByPlan(plan) } }
  return openSession(path, { target, manifest, opened, clock }, job)
}

const sendLoad = async (session: LoadSession, job: Job): Promise<Sent<LoadManifest | SearchManifest>> =>
  sendSession(session, job, () => {
    const { manifest } = session
    return manifest.kind === 'load'
      ? byTimetable({ ...session, manifest }, job.ports)
      : bySearch({ ...session, manifest }, job.ports)
  })

function byTimetable({ manifest, threads }: Session<LoadManifest>, { timerClock: clock }: Ports): Sending {
  const { options, runId, load: plan, shard = WHOLE } = manifest
  const counts = createLoadCounts(manifest)
  const rules = {
    runId,
    giveUpAfterMs: options.giveUpAfter,
    rotatingIds: options.rotatingIds,
    maxCalls: options.maxCalls ?? undefined,
    shard,
  }
  return {
    pace: null,
    count: counts.add,
    progress: (now) => ({ of: 'load', snapshot: counts.snapshot(now) }),
    send: async (wire, stop) => {
      const random = createRandomStreams(plan.seed)
      return runLoad(threads, { ...wire, random, clock }, plan, rules, stop)
    },
  }
}

function bySearch({ manifest, threads }: Session<SearchManifest>, { timerClock: clock }: Ports): Sending {
  const { options, runId, findLimit: plan } = manifest
  const rules = { runId, giveUpAfterMs: options.giveUpAfter, rotatingIds: options.rotatingIds }
  const fold = createSearchFold(manifest, announcedRules)
  let latest: LimitFinding | undefined
  return {
    pace: null,
    count: fold.add,
    progress: (now) => ({
      of: 'search',
      budget: plan.budget,
      finding: latest ?? null,
      ...fold.progress(now),
    }),
    send: async (wire, stop) =>
      findLimit(
        threads,
        { ...wire, clock },
        { ...plan, ...rules },
        (calls) => {
          const estimated = estimateLimit(calls, fold.announced())
          latest = estimated.finding
          return estimated
        },
        stop,
      ),
  }
}

// ---- `--start-at`: a time that all shards of a test have in common

/** Throws UsageError for a time that is past: a shard that starts late would offer its load alone. */
function rejectPast({ startAt }: RunSettings, { ports }: Pick<Job, 'ports'>): void {
  const now = ports.clock.wall()
  if (startAt === undefined || now <= startAt) return
  throw optionError(
    'startAt',
    `${new Date(startAt).toISOString()} was ${duration(now - startAt)} ago: give all shards a time to come`,
  )
}

const PROGRESS_MS = 200

/**
 * Resolves at the time; at once without one. It opens no folder before, so that a process that ends meanwhile
 * leaves nothing, and another can take its place. Rejects with UsageError if the signal stops the wait.
 */
async function untilStart(
  { startAt }: RunSettings,
  { ports, signals, note, eventsOf }: Pick<Job, 'ports' | 'signals' | 'note' | 'eventsOf'>,
  target: string,
): Promise<void> {
  if (startAt === undefined) return
  // Opening takes time, too.
  rejectPast({ startAt }, { ports })
  const { wall } = ports.clock
  const { emit } = eventsOf(target)
  note(`nothing is sent until ${new Date(startAt).toISOString()}, in ${duration(startAt - wall())}`)
  await new Promise<void>((resolve, reject) => {
    let cancel = (): void => undefined
    onAbort(signals.stop, () => {
      cancel()
      reject(new UsageError('stopped before --start-at; nothing was sent'))
    })
    // In short steps by the wall clock, which may be set meanwhile.
    const step = (): void => {
      const at = wall()
      if (at >= startAt) resolve()
      else {
        emit({ kind: 'progress', at, progress: { of: 'wait', startAt } })
        cancel = ports.timerClock.after(Math.min(PROGRESS_MS, startAt - at), step)
      }
    }
    if (!signals.stop.aborted) step()
  })
}
