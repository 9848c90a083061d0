// `run`: opens its sessions, sends, folds, renders, concludes.
import { join } from 'node:path'
import type { CommandOptions } from '../options/documented.ts'
import { optionError } from '../options/faults.ts'
import { sessionClock } from '../runner/clock.ts'
import { defaultFolder, rejectTaken } from '../store/folder.ts'
import type { RunResult } from './conclude.ts'
import { type Job, onlyResult, readJob, type SendingOptions } from './job.ts'
import { readJudging } from './judging.ts'
import { openLimiters } from './limiters.ts'
import { type Ports, realPorts } from './ports.ts'
import { openSets } from './question-sets.ts'
import { reviewsOfSets } from './reviews.ts'
import { sendRun, type SentRun } from './send.ts'
import { createManifest, openSession, recordStart, type RunSession } from './session.ts'
import { unlessStalled } from './stall.ts'
import { openSandbox, resolveTarget } from './targets.ts'

/** `datasets` may be absent with `resume`. */
export type RunOptions = CommandOptions<'run'> & SendingOptions

/** `runTargets` with one target. */
export async function run(options: RunOptions, ports: Ports = realPorts()): Promise<RunResult> {
  return onlyResult(await runTargets(options, ports))
}

/** The pipeline: opens, sends, folds, renders, concludes. Its promises: `index.ts`. */
export async function runTargets(
  options: RunOptions,
  ports: Ports = realPorts(),
): Promise<PromiseSettledResult<RunResult>[]> {
  const job = readJob('run', options, ports)
  try {
    const sent = await ask(job)
    // Loaded late: the code of the reports would delay the first call.
    const { concludeAll } = await import('./conclude-sent.ts')
    return await concludeAll(sent, job)
  } finally {
    await job.close()
  }
}

/** Opens the sessions of all targets, and sends side by side what they have left. */
export async function ask(job: Job): Promise<readonly SentRun[]> {
  const isResume = job.settings.resume !== undefined
  const open = isResume ? (await import('./resume.ts')).openResumed : openRuns
  const sessions = recordStart(await unlessStalled('opening the run', open(job)), job)
  return Promise.all(sessions.map(async (session) => sendRun(session, job)))
}

/** Finds everything that can be wrong before it makes a folder. */
async function openRuns(job: Job): Promise<RunSession[]> {
  const { datasets, settings, sandbox, note, ports } = job
  if (settings.retryErrors === true) throw optionError('retryErrors', 'needs --resume DIR')
  const opened = await openSets(datasets, settings, job)
  const resolved = sandbox === false ? job.targets.map((one) => resolveTarget(one, job)) : undefined
  const names = resolved?.map(({ name }) => name) ?? ['sandbox']
  const articles = job.targets.flatMap((target) => target.settings.articles ?? [])
  const judged = { targets: names, questions: opened.all, articles }
  const files = await readJudging(settings, judged, 'sent', job)
  const imported = [...(await reviewsOfSets(opened.set.results, note)), ...files]
  // Starts last: everything else is valid by now.
  const targets = resolved ?? [await openSandbox(settings, job)]
  const limiterOf = await openLimiters(targets, job)
  const clock = sessionClock(ports.clock)
  const root = settings.out ?? defaultFolder(datasets, new Date(clock.wall()))
  rejectTaken(root, targets.length > 1 ? names : [])
  const sessions: RunSession[] = []
  for (const target of targets) {
    const path = targets.length > 1 ? join(root, target.name) : root
    const manifest = createManifest(target, path, opened, clock.wall())
    const session = await openSession(path, { target, manifest, opened, clock }, job)
    sessions.push({ ...session, limiter: limiterOf(target), attemptsBefore: 0, imported })
  }
  return sessions
}
