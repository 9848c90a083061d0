// `run`: opens its sessions, sends, judges, and writes.
import { join } from 'node:path'
import { optionError, UsageError } from '../options/faults.ts'
import type { CommandOptions } from '../options/settings.ts'
import { sessionClock } from '../runner/clock.ts'
import { defaultFolder, rejectTaken, runFolder, runsIn } from '../store/folder.ts'
import type { RunResult } from './write-run.ts'
import { type Job, readJob, type SendingOptions } from './job.ts'
import { readJudging } from './judging.ts'
import { openLimiters, openSandbox, resolveTarget } from './targets.ts'
import { withMetrics } from './metrics.ts'
import { planSession } from './session.ts'
import { openPaced } from './paced.ts'
import { type Ports, realPorts } from './ports.ts'
import { openSets } from './question-sets.ts'

export type RunOptions = CommandOptions<'run'> & SendingOptions

export async function run(options: RunOptions, ports: Ports = realPorts()): Promise<RunResult> {
  const job = readJob('run', options, ports)
  const { resume } = job.settings
  if (job.targets.length > 1 || (resume !== undefined && runsIn(resume).length > 1)) {
    await job.close()
    throw new UsageError('several targets: use runTargets')
  }
  const [only] = await runJob(job)
  if (only?.status === 'fulfilled') return only.value
  throw only?.reason
}

export const runTargets = async (options: RunOptions, ports: Ports = realPorts()) =>
  runJob(readJob('run', options, ports))

async function runJob(job: Job): Promise<PromiseSettledResult<RunResult>[]> {
  try {
    const { sessions, imported } = await sendAll(await withMetrics(job))
    // Loaded late: the code of the reports would delay the first call.
    const { writeNewRun } = await import('./write-run.ts')
    const judging = { settings: job.settings, imported, reading: job }
    const results: PromiseSettledResult<RunResult>[] = []
    // One after the other: a run whose reports cannot be written does not stop the next.
    for (const session of sessions) {
      const { recording, manifest } = session.plan
      const write = async () => writeNewRun(runFolder(recording.path), manifest, judging, session.stop)
      results.push(...(await Promise.allSettled([session.conclude(write)])))
    }
    return results
  } finally {
    await job.close()
  }
}

/**
 * Sends side by side what all targets have left. Their schedules end here: what one counted of 100,000 turns
 * is 100 MB, which the reports need.
 */
export async function sendAll(job: Job) {
  const isResume = job.settings.resume !== undefined
  const open = isResume ? (await import('./resume.ts')).openResumed : openRuns
  const opened = await open(job)
  for (const { session } of opened.runs) session.open()
  await Promise.all(opened.runs.map(async ({ session, schedule }) => session.send(schedule)))
  return { sessions: opened.runs.map(({ session }) => session), imported: opened.imported }
}

/** Finds everything that can be wrong before it makes a folder. */
async function openRuns(job: Job) {
  const { datasets, settings, sandbox, ports } = job
  if (settings.retryErrors === true) throw optionError('retryErrors', 'needs --resume DIR')
  const opened = await openSets(datasets, settings, job)
  const resolved = sandbox === false ? job.targets.map((target) => resolveTarget(target, job)) : undefined
  const names = resolved?.map(({ name }) => name) ?? ['sandbox']
  const articles = job.targets.flatMap((target) => target.settings.articles ?? [])
  const judged = { targets: names, questions: opened.all, articles }
  const imported = await readJudging(settings, judged, job)
  // Starts last: everything else is valid by now.
  const targets = resolved ?? [await openSandbox(settings, job)]
  const limiterOf = await openLimiters(targets, job)
  const clock = sessionClock(ports.clock)
  const root = settings.out ?? defaultFolder(datasets, new Date(clock.wall()))
  rejectTaken(root, targets.length > 1 ? names : [])
  const runs = []
  for (const target of targets) {
    const path = targets.length > 1 ? join(root, target.name) : root
    const plan = await planSession(path, target, opened, clock, job)
    runs.push(await openPaced(plan, limiterOf(target), job))
  }
  return { runs, imported }
}
