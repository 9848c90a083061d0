// `load`: sends threads by a timetable instead of a pace, or searches for the organization's limit.
import { createSearchFold } from '../analysis/limit/search-report.ts'
import { estimateLimit } from '../analysis/limit/second-rule.ts'
import { createLoadCounts } from '../analysis/load/counts.ts'
import type { LimitFinding } from '../domain/limit.ts'
import { UsageError } from '../options/faults.ts'
import type { LoadManifest, SearchManifest } from '../options/manifest.ts'
import type { CommandOptions } from '../options/settings.ts'
import { announcedRules } from '../pace/hints.ts'
import { sessionClock } from '../runner/clock.ts'
import { findLimit } from '../runner/limit/find-limit.ts'
import type { ThreadState } from '../runner/thread-state.ts'
import { runLoad } from '../runner/load/run-load.ts'
import { createRandomStreams } from '../stats/random.ts'
import { defaultFolder, rejectTaken, runFolder } from '../store/folder.ts'
import type { LimitResult, LoadResult } from './conclude-load.ts'
import { type Job, readJob, type SendingOptions } from './job.ts'
import { checkThresholds } from './judging.ts'
import { planFrom, recordedByPlan, requireBudget } from './load-plan.ts'
import { withMetrics } from './metrics.ts'
import { type Ports, realPorts } from './ports.ts'
import { openSets } from './question-sets.ts'
import { createManifest, planSession } from './new-session.ts'
import { type Schedule, Session } from './session.ts'
import { unlessStalled } from './signals.ts'
import { openSandbox, resolveTarget } from './targets.ts'

export type LoadOptions = CommandOptions<'load'> & SendingOptions

export async function load(
  options: LoadOptions,
  ports: Ports = realPorts(),
): Promise<LoadResult | LimitResult> {
  const job = readJob('load', options, ports)
  try {
    const measured = await withMetrics(job)
    const session = await unlessStalled('opening the load test', openLoad(measured))
    session.open()
    const { manifest, threads } = session.plan
    const schedule =
      manifest.kind === 'load' ? byTimetable(manifest, threads, ports) : bySearch(manifest, threads, ports)
    await session.send(schedule)
    // Loaded late: the code of the reports would delay the first call.
    const { concludeLoad } = await import('./conclude-load.ts')
    return await session.conclude(async (path) =>
      concludeLoad(runFolder(path), session.manifest, session.stop),
    )
  } finally {
    await job.close()
  }
}

/** Finds everything that can be wrong before it makes a folder or sends a call. */
async function openLoad(job: Job): Promise<Session<LoadManifest | SearchManifest>> {
  const { datasets, sandbox, ports } = job
  const [named, ...others] = job.targets
  if (named === undefined || others.length > 0)
    throw new UsageError('load sends to one target: choose one with --target, or start one test for each')
  const { settings } = named
  const { threshold = [], out } = settings
  const plan = planFrom(settings)
  if (plan.kind === 'load') checkThresholds(threshold, 'load')
  const resolved = sandbox === false ? resolveTarget(named, job) : undefined
  if (resolved !== undefined) requireBudget(resolved)
  const opened = await openSets(datasets, job.settings, job)
  if (out !== undefined) rejectTaken(out)
  const target = resolved ?? (await openSandbox(settings, job))
  const clock = sessionClock(ports.clock)
  const path = out ?? defaultFolder(datasets, new Date(clock.wall()))
  const made = createManifest(target, path, opened, clock.wall())
  const manifest = { ...made, ...plan, options: { ...made.options, ...recordedByPlan(plan) } }
  return new Session(await planSession(path, target, manifest, opened, clock, job), job)
}

function byTimetable(manifest: LoadManifest, threads: readonly ThreadState[], ports: Ports): Schedule {
  const { options, runId, load: plan } = manifest
  const counts = createLoadCounts(manifest)
  const rules = {
    runId,
    giveUpAfterMs: options.giveUpAfter,
    rotatingIds: options.rotatingIds,
    maxCalls: options.maxCalls ?? undefined,
  }
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

function bySearch(manifest: SearchManifest, threads: readonly ThreadState[], ports: Ports): Schedule {
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
    send: async (attemptPorts, stop) =>
      findLimit(
        threads,
        { ...attemptPorts, clock: ports.timerClock },
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
