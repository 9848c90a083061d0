// `run`: open, ask, fold, render, conclude.
import { join } from 'node:path'
import type { CommandOptions } from '../options/documented.ts'
import { createRunCounts } from '../runner/progress.ts'
import { runThreads, type RunnerOptions } from '../runner/run.ts'
import { turnRulesOf } from '../runner/turn.ts'
import { startClock } from './clock.ts'
import type { RunResult } from './conclude.ts'
import { openLimiters } from './limiters.ts'
import { readJudging } from './judging.ts'
import { openSets } from './question-sets.ts'
import { foldSession } from './recorded-run.ts'
import { reviewsOfSets } from './reviews.ts'
import { defaultFolder, rejectTaken } from '../store/folder.ts'
import { readJob, type RunJob, type SendingOptions } from './job.ts'
import { type CarriedOut, carryOut, onlyResult, openSession, type Session, type Work } from './session.ts'
import { type Opening, openSandbox, resolveTarget } from './targets.ts'
import { optionError } from '../options/faults.ts'

/** `datasets` may be absent with `resume`. */
export type RunOptions = CommandOptions<'run'> & SendingOptions

/**
 * Sends every question of the sets, records the answers, writes the reports. Rejects with UsageError, before anything is sent, if options or
 * sets are wrong. Prints nothing, handles no signals, and does not set the exit code.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const job = readJob('run', options)
  if (job.datasets.length === 0 && job.settings.resume === undefined)
    throw optionError('datasets', "must name one or more question sets, as in ['questions.csv']")
  return onlyResult(await runTargets(job))
}

/** Several targets side by side, each organization behind its own limiter. Results are in the order of the targets. */
export async function runTargets(job: RunJob): Promise<CarriedOut<RunResult>> {
  const { settings } = job
  return carryOut(job, {
    open: settings.resume === undefined ? openRuns : (await import('./resume.ts')).openResume,
    ask: createRunWork,
    conclude: async (sent) => {
      // Loaded late: the code of the reports would delay the first call.
      const { concludeRun } = await import('./conclude.ts')
      const folded = await foldSession(sent)
      return concludeRun(folded, { settings, imported: sent.imported })
    },
  })
}

/** Open: finds everything that can be wrong before it makes a folder or sends a call. */
export async function openRuns(job: RunJob, opening: Opening): Promise<Session[]> {
  const { datasets, settings, sandbox } = job
  const { note } = opening
  if (settings.retryErrors === true) throw optionError('retryErrors', 'needs --resume DIR')
  const opened = await openSets(datasets, settings, note)
  const resolved = sandbox === false ? job.targets.map((one) => resolveTarget(one, job.apiKey)) : undefined
  const names = resolved?.map(({ name }) => name) ?? ['sandbox']
  const files = await readJudging(settings, { targets: names, questions: opened.all }, 'sent', note)
  const imported = [...(await reviewsOfSets(opened.set.results, note)), ...files]
  // Starts last: everything else is valid by now.
  const targets = resolved ?? [await openSandbox(settings, sandbox, opening)]
  const limiterOf = await openLimiters(targets, opening)
  const clock = startClock()
  const root = settings.out ?? defaultFolder(datasets, new Date(clock.wall()))
  rejectTaken(root, targets.length > 1 ? names : [])
  const sessions: Session[] = []
  for (const target of targets) {
    const path = targets.length > 1 ? join(root, target.name) : root
    const given = { target, limiter: limiterOf(target), clock, imported }
    sessions.push(await openSession(path, opened, given, opening))
  }
  return sessions
}

/** The rules of a session, from what the manifest records. */
export const rulesOf = ({
  manifest,
  attemptsBefore,
}: Pick<Session, 'manifest' | 'attemptsBefore'>): RunnerOptions => {
  const { options, runId } = manifest
  return {
    runId,
    maxCalls: options.maxCalls ?? undefined,
    giveUpAfterMs: options.giveUpAfter,
    attemptsBefore,
    ...turnRulesOf(options),
  }
}

/** Ask: at the limiter's pace. */
export function createRunWork(session: Session): Work {
  const { manifest, threads, limiter, clock } = session
  const counts = createRunCounts(threads, manifest.options.groundedSources)
  return {
    send: async (ports, stop) => runThreads(threads, { ...ports, limiter, clock }, rulesOf(session), stop),
    note: counts.note,
    progress: counts.progress,
  }
}
