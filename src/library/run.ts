// `run`: open, send, fold, render, conclude.
import { join } from 'node:path'
import { mergeReviews, type ReviewFile } from '../analysis/reviews/book.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import { StorageError } from '../domain/storage-error.ts'
import { type RunnerSignals, runThreads } from '../runner/run.ts'
import { firstTurn, type ThreadState } from '../runner/thread-state.ts'
import { realClock } from './clock.ts'
import type { CommandSettings, RunSettings } from './options.ts'
import type { RunResult } from './conclude.ts'
import { createEventSink, type RunProgress, type EventSink } from './events.ts'
import { readIndex, type RecordedRun } from './fold.ts'
import { openLimiters } from './limiters.ts'
import { checkThresholds, withoutMissingBaseline } from './manifest.ts'
import { openSets, rejectDuplicates } from './question-sets.ts'
import { loadReviews, reviewsOfSets, writeReviews } from './reviews.ts'
import { defaultFolder, rejectTaken } from './run-folder.ts'
import {
  type Cleanups,
  openSession,
  type Plan,
  readJob,
  type RunJob,
  runSession,
  type SendingOptions,
  type Session,
  withCleanups,
  type Work,
} from './session.ts'
import { openSandbox, resolveTarget } from './targets.ts'
import { optionError, UsageError } from './usage-error.ts'

/** `datasets` may be absent with `resume`. */
export type RunOptions = CommandSettings<'run'> & SendingOptions

/**
 * Sends every question of the sets, records the answers, writes the reports. Rejects with UsageError, before anything is sent, where options or
 * sets are wrong. Prints nothing, handles no signals, and does not set the exit code.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const job = readJob('run', options)
  const { settings } = job
  if (job.datasets.length === 0 && settings.resume === undefined)
    throw optionError('datasets', "must name one or more question sets, as in ['questions.csv']")
  const [result] = await runTargets({ ...job, targets: [{ name: 'default', settings }] })
  if (result === undefined) throw new Error('a run without a result')
  return result
}

/** Several targets side by side, each organization behind its own limiter. Results are in the order of the targets. */
export async function runTargets(job: RunJob): Promise<RunResult[]> {
  if (job.signal?.aborted === true) throw new UsageError('the signal was aborted before the run started')
  const events = createEventSink((event) => job.onEvent(event, job.targets[0]?.name ?? ''))
  return withCleanups(job, async (signals, cleanups) => {
    const { ended, imported } = await openAndSend(job, signals, events, cleanups)
    const results: RunResult[] = []
    for (const one of ended) results.push(await finish(one, job.settings, imported, events))
    return results
  })
}

type Sent = Awaited<ReturnType<typeof openAndSend>>['ended'][number]

/** A function of its own, so that the plan can be collected before the reports need the memory; they read from the journal. */
async function openAndSend(job: RunJob, signals: RunnerSignals, events: EventSink, cleanups: Cleanups) {
  const open = job.settings.resume === undefined ? planRun : (await import('./resume.ts')).planResume
  const { sessions, imported } = await open(job, events, cleanups)
  const ended = sessions.map(async (session) => {
    const { folder, target } = session
    const own = createEventSink((event) => job.onEvent(event, target.name))
    const { manifest, stop } = await runSession(session, createRunWork(session), signals, own)
    return { folder, target: target.name, manifest, stop, own }
  })
  return { ended: await Promise.all(ended), imported }
}

/** Open: finds everything that can be wrong before it makes a folder or sends a call. */
export async function planRun(job: RunJob, { note }: EventSink, cleanups: Cleanups): Promise<Plan> {
  const { datasets, environment } = job
  rejectDuplicates(datasets)
  if (job.settings.retryErrors === true) throw optionError('retryErrors', 'needs --resume DIR')
  const settings = withoutMissingBaseline(job.settings, null, note)
  const named = job.targets.map((one) => ({
    ...one,
    settings: withoutMissingBaseline(one.settings, null, () => undefined),
  }))
  const resolved =
    job.sandbox === false ? named.map((one) => resolveTarget(one, environment, job.apiKey)) : undefined
  const opened = await openSets(datasets, settings, environment, note)
  const files = await loadReviews(settings.reviews, 'sent', note)
  const inSets = await reviewsOfSets(opened.set.results)
  const imported = files === undefined && inSets.length === 0 ? undefined : [...inSets, ...(files ?? [])]
  checkThresholds(settings.threshold ?? [], opened.tags)
  if (settings.baseline !== undefined) {
    const { checkBaseline } = await import('./baseline.ts')
    await checkBaseline(settings, resolved?.map(({ name }) => name) ?? ['sandbox'], opened.all)
  }
  // Starts last: everything else is valid by now.
  const targets = resolved ?? [
    { ...(await openSandbox({ kb: settings.kb }, job.sandbox, note, cleanups)), settings },
  ]
  const limiterOf = await openLimiters(targets, environment, note, cleanups)
  const at = new Date()
  const root = settings.out ?? defaultFolder(datasets, at)
  rejectTaken(root)
  const sessions = targets.map((target): Session => {
    const path = targets.length > 1 ? join(root, target.name) : root
    const session = openSession(path, opened, { target, limiter: limiterOf(target), at }, cleanups)
    if (imported !== undefined) keepReviews(session.folder, imported)
    return session
  })
  return { sessions, imported }
}

/** Before the first call, so that a killed process does not lose them. */
function keepReviews(folder: Session['folder'], files: readonly ReviewFile[]): void {
  try {
    writeReviews(folder, mergeReviews({ log: [], files, results: [] }).log)
  } catch (error) {
    // A full disk stops the run at its manifest, with a reason.
    if (!(error instanceof StorageError)) throw error
  }
}

/** Fold, render and conclude. */
async function finish(
  { folder, target, manifest, stop, own }: Sent,
  settings: RunSettings,
  imported: Plan['imported'],
  shared: EventSink,
): Promise<RunResult> {
  // Loaded late: the code of the reports would delay the first call.
  const { concludeRun } = await import('./conclude.ts')
  const { index, notes } = await readIndex(folder)
  // A full disk may have kept the end out of the journal.
  const recorded: RecordedRun = { folder, manifest, notes, index: { ...index, stop: index.stop ?? stop } }
  own.emit({ kind: 'reporting', at: Date.now(), folder: folder.path })
  const result = await concludeRun(recorded, { excel: settings.excel ?? false, imported, note: own.note })
  const { verdict, exitCode, reason } = result
  own.emit({ kind: 'ended', at: Date.now(), folder: result.folder, verdict, exitCode, reason })
  const retry = result.resume !== null && settings.retryErrors === true ? ['--retry-errors'] : []
  return {
    ...result,
    target,
    notes: [...shared.notes, ...own.notes],
    listenerError: own.error() ?? shared.error(),
    resume: result.resume && [...result.resume, ...retry],
  }
}

export function createRunWork({ manifest, threads, limiter, attemptsBefore }: Session): Work {
  const { options, runId } = manifest
  const counter = createCounter(threads, options.groundedSources)
  return {
    send: async (ports, signals) =>
      runThreads(
        threads,
        { ...ports, limiter, clock: realClock },
        {
          runId,
          maxCalls: options.maxCalls ?? undefined,
          giveUpAfterMs: options.giveUpAfter,
          attemptsBefore,
          rotatingIds: options.rotatingIds,
          restartOnAmbiguous: options.onAmbiguous === 'restart',
          retry: 'unprocessed',
        },
        signals,
      ),
    note: counter.note,
    progress: counter.progress,
  }
}

/** What has become of a turn. `done`: answered without its context, skipped, or ended in an earlier session. */
type TurnState = 'open' | 'done' | 'error' | 'grounded' | 'ungrounded'

/** Counts as records come, and not anew for each progress event: a run may have 100,000 turns. */
function createCounter(
  threads: readonly ThreadState[],
  groundedSources: readonly string[],
): { readonly note: (record: JournalRecord) => void; readonly progress: () => RunProgress } {
  const total = threads.reduce((sum, { turns }) => sum + turns.length, 0)
  const counts: Record<TurnState, number> = { open: total, done: 0, error: 0, grounded: 0, ungrounded: 0 }
  /** States of the turns, by question and repeat. */
  const states: (TurnState | undefined)[][] = []
  const conversations = new Map(threads.map((thread) => [firstTurn(thread).index, thread.turns]))
  let [attempts, rateLimited] = [0, 0]
  /** The last reply: an attempt's outcome is recorded right after its result. */
  let replied: { readonly attempt: number; readonly source: string } | undefined

  const set = (question: number, repeat: number, state: TurnState): void => {
    const repeats = (states[question] ??= [])
    counts[repeats[repeat] ?? 'open'] -= 1
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
    for (const { index } of turns.slice(0, next)) set(index, repeat, 'done')
  return {
    note: (record) => {
      if (record.kind === 'intent') attempts += 1
      if (record.kind === 'outcome') set(record.question, record.repeat, stateOf(record))
      if (record.kind === 'restart')
        for (const { index } of conversations.get(record.question) ?? []) set(index, record.repeat, 'open')
      if (record.kind !== 'result') return
      const { attempt, result } = record
      if (result.kind === 'rejection' && result.httpStatus === 429) rateLimited += 1
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
