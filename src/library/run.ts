// `run`: opens its sessions, sends, folds, renders, concludes.
import { join } from 'node:path'
import { createRunCounts } from '../analysis/progress.ts'
import type { Clock } from '../domain/clock.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Stop } from '../domain/stop.ts'
import { optionError } from '../options/faults.ts'
import type { CommandOptions } from '../options/settings.ts'
import { type PaceChange, StoreError } from '../pace/limiter.ts'
import { sessionClock } from '../runner/clock.ts'
import { type RunnerOptions, type RunnerPorts, runThreads } from '../runner/run.ts'
import { stopOfError } from '../runner/stops.ts'
import { turnRulesOf } from '../runner/turn.ts'
import { defaultFolder, rejectTaken } from '../store/folder.ts'
import type { RunResult } from './conclude.ts'
import { type Job, readJob, type SendingOptions } from './job.ts'
import { readJudging } from './judging.ts'
import { openLimiters } from './limiters.ts'
import { withMetrics } from './metrics.ts'
import { type Ports, realPorts } from './ports.ts'
import { openSets } from './question-sets.ts'
import { sendSession, type SentRun, type Wire } from './send.ts'
import { createManifest, openSession, recordStart, type RunSession } from './session.ts'
import { onAbort, unlessStalled } from './signals.ts'
import { openSandbox, resolveTarget } from './targets.ts'

/** `datasets` may be absent with `resume`. */
export type RunOptions = CommandOptions<'run'> & SendingOptions

export async function run(options: RunOptions, ports: Ports = realPorts()): Promise<RunResult> {
  const [only] = await runTargets(options, ports)
  if (only?.status === 'fulfilled') return only.value
  throw only?.reason
}

export async function runTargets(
  options: RunOptions,
  ports: Ports = realPorts(),
): Promise<PromiseSettledResult<RunResult>[]> {
  const job = readJob('run', options, ports)
  try {
    const sent = await ask(await withMetrics(job))
    // Loaded late: the code of the reports would delay the first call.
    const { concludeAll } = await import('./conclude.ts')
    return await concludeAll(sent, job)
  } finally {
    await job.close()
  }
}

/** Opens the sessions of all targets, and sends side by side what they have left. */
export async function ask(job: Job): Promise<readonly SentRun[]> {
  const isResume = job.settings.resume !== undefined
  const open = isResume ? (await import('./resume.ts')).openResumed : openRuns
  const sessions = recordStart(await unlessStalled('opening the run', open(job)))
  return Promise.all(sessions.map(async (session) => sendRun(session, job)))
}

/** Finds everything that can be wrong before it makes a folder. */
async function openRuns(job: Job): Promise<RunSession[]> {
  const { datasets, settings, sandbox, ports } = job
  if (settings.retryErrors === true) throw optionError('retryErrors', 'needs --resume DIR')
  const opened = await openSets(datasets, settings, job)
  const resolved = sandbox === false ? job.targets.map((one) => resolveTarget(one, job)) : undefined
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
  const sessions: RunSession[] = []
  for (const target of targets) {
    const path = targets.length > 1 ? join(root, target.name) : root
    const manifest = createManifest(target, path, opened, clock.wall())
    const session = await openSession(path, target, manifest, opened, clock, job)
    // Loaded late: most runs send everything.
    const early = manifest.options.untilDecided
      ? (await import('./until-decided.ts')).untilDecided(manifest, session.threads, job.note)
      : { decider: undefined }
    sessions.push({ ...session, ...early, limiter: limiterOf(target), attemptsBefore: 0, imported })
  }
  return sessions
}

/** At the limiter's pace. Never rejects: the sessions of other targets go on. */
async function sendRun(session: RunSession, job: Job): Promise<SentRun> {
  const { threads, limiter, clock, imported, attemptsBefore, decider, target } = session
  const { note } = job.eventsOf(target.name)
  const { options, runId } = session.manifest
  const { giveUpAfter: giveUpAfterMs, maxCalls } = options
  const rules = {
    ...turnRulesOf(options),
    runId,
    giveUpAfterMs,
    attemptsBefore,
    maxCalls: maxCalls ?? undefined,
    isDecided: decider?.isDecided,
  }
  const sent = await sendSession(session, job, () => {
    const counts = createRunCounts(threads, options.groundedSources)
    return {
      pace: limiter.state().pace,
      sentBefore: attemptsBefore,
      count: (event) => {
        counts.add(event)
        decider?.add(event)
      },
      progress: (at) => {
        const waitMs = limiter.state().nextAt - clock.now()
        return { ...counts.progress(), ...(waitMs > 0 && waitMs < Infinity && { nextAt: at + waitMs }) }
      },
      send: async (wire, stop) => {
        let isNoted = false
        const stopListening = limiter.onChange((change) => {
          if (change.isRateRefused && !isNoted)
            note(
              `429s go on at the stated rate, ${options.rate}: the limit is lower, or other traffic uses ` +
                'it. State a lower --rate, or leave it out',
            )
          isNoted ||= change.isRateRefused
          wire.guard(() => wire.record(paceRecord(change, clock)))
        })
        onAbort(limiter.lost, (error) => wire.end(stopOfLost(error)))
        const sending = sendAll(session, job, { ...wire, limiter, clock, note }, counts, rules, stop)
        return sending.finally(stopListening)
      },
    }
  })
  return { ...sent, imported }
}

async function sendAll(
  session: RunSession,
  job: Job,
  wire: Wire & RunnerPorts,
  counts: ReturnType<typeof createRunCounts>,
  rules: RunnerOptions,
  signal: AbortSignal,
): Promise<Stop> {
  const stop = await runThreads(session.threads, wire, rules, signal)
  if (stop.kind !== 'done' || session.manifest.options.confirm === 0) return stop
  wire.flush()
  // Loaded late, as everything that reads a run.
  const { openConfirmations } = await import('./confirm.ts')
  const again = await openConfirmations(session, job)
  for (const one of again.records) wire.record(one)
  counts.expect(again.threads)
  const last = { ...rules, attemptsBefore: again.attempts, isDecided: undefined }
  // With the conversations that are over, which show that the endpoint is there.
  const end = await runThreads([...session.threads, ...again.threads], wire, last, signal)
  // Every question has its outcome: what could not be confirmed stands as it is.
  return end.kind === 'budget' ? { kind: 'done' } : end
}

/** Redis's own words; any other error is ours. */
export const stopOfLost = (error: unknown): Stop =>
  error instanceof StoreError
    ? { kind: 'limiterLost', reason: `${error.message}; sending stopped` }
    : stopOfError(error)

function paceRecord({ pace, policy, pause, cause, processes }: PaceChange, clock: Clock): JournalRecord {
  const [now, wall] = [clock.now(), clock.wall()]
  const isPaused = pause !== undefined && pause.until > now
  return {
    kind: 'pace',
    at: wall,
    pace,
    ...(isPaused ? { pausedUntil: Math.round(wall + pause.until - now) } : {}),
    cause,
    ...(policy === undefined ? {} : { policy }),
    ...(processes === undefined ? {} : { processes }),
  }
}
