// `run`: open, send, fold, render, conclude.
import { join } from 'node:path'
import { isRateLimited } from '../domain/attempt.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import { runThreads, type RunnerOptions } from '../runner/run.ts'
import { firstTurn, type ThreadState } from '../runner/thread-state.ts'
import { turnRulesOf } from '../runner/turn.ts'
import { realClock } from './clock.ts'
import type { CommandSettings } from './options.ts'
import type { RunResult } from './conclude.ts'
import type { RunProgress } from './events.ts'
import { openLimiters } from './limiters.ts'
import { readJudging } from './judging.ts'
import { openSets } from './question-sets.ts'
import { readRun } from './recorded-run.ts'
import { reviewsOfSets } from './reviews.ts'
import { defaultFolder, rejectTaken } from './run-folder.ts'
import { readJob, type RunJob, type SendingOptions } from './job.ts'
import { carryOut, openSession, type Session, type Work } from './session.ts'
import { type Opening, openSandbox, resolveTarget } from './targets.ts'
import { optionError } from './usage-error.ts'

/** `datasets` may be absent with `resume`. */
export type RunOptions = CommandSettings<'run'> & SendingOptions

/**
 * Sends every question of the sets, records the answers, writes the reports. Rejects with UsageError, before anything is sent, if options or
 * sets are wrong. Prints nothing, handles no signals, and does not set the exit code.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const job = readJob('run', options)
  if (job.datasets.length === 0 && job.settings.resume === undefined)
    throw optionError('datasets', "must name one or more question sets, as in ['questions.csv']")
  const [result] = await runTargets(job)
  if (result === undefined) throw new Error('a run without a result')
  return result
}

/** Several targets side by side, each organization behind its own limiter. Results are in the order of the targets. */
export async function runTargets(job: RunJob): Promise<RunResult[]> {
  const { settings } = job
  return carryOut(job, {
    open: settings.resume === undefined ? openRuns : (await import('./resume.ts')).openResume,
    workOf: createRunWork,
    conclude: async (sent) => {
      // Loaded late: the code of the reports would delay the first call.
      const { concludeRun } = await import('./conclude.ts')
      return concludeRun(await readRun(sent), { settings, imported: sent.imported })
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
  const imported = [...(await reviewsOfSets(opened.set.results)), ...files]
  // Starts last: everything else is valid by now.
  const targets = resolved ?? [await openSandbox(settings, sandbox, opening)]
  const limiterOf = await openLimiters(targets, opening)
  const at = new Date()
  const root = settings.out ?? defaultFolder(datasets, at)
  rejectTaken(root)
  return targets.map((target) => {
    const path = targets.length > 1 ? join(root, target.name) : root
    return openSession(path, opened, { target, limiter: limiterOf(target), at, imported }, opening)
  })
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

export function createRunWork(session: Session): Work {
  const { manifest, threads, limiter } = session
  const counter = createCounter(threads, manifest.options.groundedSources)
  return {
    send: async (ports, stop) =>
      runThreads(threads, { ...ports, limiter, clock: realClock }, rulesOf(session), stop),
    note: counter.note,
    progress: counter.progress,
  }
}

/** The state of a turn in this session. `done`: answered without its context, or skipped. */
type TurnState = 'open' | 'done' | 'error' | 'grounded' | 'ungrounded'

/** Counts with each record: a run may have 100,000 turns. Turns that ended in an earlier session are not counted. */
function createCounter(
  threads: readonly ThreadState[],
  groundedSources: readonly string[],
): { readonly note: (record: JournalRecord) => void; readonly progress: () => RunProgress } {
  const counts: Record<TurnState, number> = { open: 0, done: 0, error: 0, grounded: 0, ungrounded: 0 }
  /** States of the turns, by question and repeat. */
  const states: (TurnState | undefined)[][] = []
  const conversations = new Map(threads.map((thread) => [firstTurn(thread).index, thread.turns]))
  let [total, attempts, rateLimited] = [0, 0, 0]
  /** The last reply: an attempt's outcome is recorded right after its result. */
  let replied: { readonly attempt: number; readonly source: string } | undefined

  const set = (question: number, repeat: number, state: TurnState): void => {
    const repeats = (states[question] ??= [])
    const before = repeats[repeat]
    if (before === undefined) total += 1
    else counts[before] -= 1
    counts[state] += 1
    repeats[repeat] = state
  }
  const stateOf = (record: Extract<JournalRecord, { kind: 'outcome' }>): TurnState => {
    if (isErrorOutcome(record.outcome)) return 'error'
    const isCounted =
      record.outcome === 'answered' && !record.contextLost && replied?.attempt === record.attempt
    if (!isCounted) return 'done'
    return groundedSources.includes(replied?.source ?? '') ? 'grounded' : 'ungrounded'
  }
  for (const { turns, next, repeat } of threads)
    for (const { index } of turns.slice(next)) set(index, repeat, 'open')
  return {
    note: (record) => {
      if (record.kind === 'intent') attempts += 1
      if (record.kind === 'outcome') set(record.question, record.repeat, stateOf(record))
      if (record.kind === 'restart')
        for (const { index } of conversations.get(record.question) ?? []) set(index, record.repeat, 'open')
      if (record.kind !== 'result') return
      const { attempt, result } = record
      if (isRateLimited(result)) rateLimited += 1
      if (result.kind === 'reply') replied = { attempt, source: result.reply.contextSource }
    },
    progress: () => ({
      of: 'run',
      total,
      done: total - counts.open,
      answered: counts.grounded + counts.ungrounded,
      grounded: counts.grounded,
      errors: counts.error,
      attempts,
      rateLimited,
    }),
  }
}
