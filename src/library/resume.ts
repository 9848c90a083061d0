// `run --resume`: opens the sessions that finish a recorded run, each with one more journal.
import { resolve } from 'node:path'
import type { Slot } from '../analysis/fold.ts'
import { gradedQuestions } from '../analysis/graded.ts'
import { openPicker, type RecordPicker } from '../journal/read.ts'
import { asTyped, optionError } from '../options/faults.ts'
import { differencesBetween } from '../options/manifest.ts'
import { optionNames } from '../options/settings.ts'
import { sessionClock } from '../runner/clock.ts'
import { type RecordedTurn, restoreThread } from '../runner/restore.ts'
import { openThread, openThreads, type ThreadState } from '../runner/thread-state.ts'
import { turnRulesOf } from '../runner/turn.ts'
import { noRun, runFolder, runsIn } from '../store/folder.ts'
import { type Lock, lockFolder } from '../store/lock.ts'
import { readManifest, requireRun } from '../store/manifest.ts'
import { type Job, rejectConfirmedRepeats } from './job.ts'
import { readJudging, recordedJudging } from './judging.ts'
import { openLimiters } from './limiters.ts'
import { recordedSet } from './question-sets.ts'
import { foldRun, type RecordedRun } from './recorded-run.ts'
import { readFolderReviews } from './reviews.ts'
import { hideKey } from './secrets.ts'
import { resumedManifest, type RunSession } from './session.ts'
import { resolveShipped, SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import { addressOf, resumeTargets, type Target } from './targets.ts'
import { untilDecided } from './until-decided.ts'

/** Throws UsageError, before anything is sent or written, if the run cannot be resumed. */
export async function openResumed(job: Job): Promise<RunSession[]> {
  const { settings, note } = job
  if (job.datasets.length > 0)
    note('a resume reads its questions from the journal; the question sets given here are not read')
  const runs = await openRecorded(settings.resume ?? '', job)
  const [first] = runs
  if (first === undefined) throw noRun(settings.resume ?? '')
  const names = runs.map(({ manifest }) => manifest.target.name)
  const resumed: Resumed[] = []
  for (const run of runs) {
    rejectOtherOptions(job, run, names)
    resumed.push({ ...run, set: await recordedSet(run, job) })
    // Finds a table that cannot be read before the first call, not after the last.
    await readFolderReviews(run.folder.path)
  }
  const sent = resumed.flatMap(({ set }) => set.turns.map(({ question }) => question))
  const questions = first.manifest.shard === undefined ? sent : undefined
  const judged = { targets: names, questions, recorded: recordedJudging(first) }
  const imported = await readJudging(settings, judged, job)
  const targetOf = await resumeTargets(first, job)
  const opened = resumed.map((run) => ({ run, target: targetOf(run) }))
  const limiterOf = await openLimiters(
    opened.map(({ target }) => target),
    job,
  )
  return opened.map(({ run, target }) => ({
    ...resumeSession(run, target, job),
    limiter: limiterOf(target),
    imported,
  }))
}

type LockedRun = RecordedRun & { readonly lock: Lock }

interface Resumed extends LockedRun {
  readonly set: Awaited<ReturnType<typeof recordedSet>>
}

async function openRecorded(path: string, { note, onClose, ports }: Job): Promise<LockedRun[]> {
  const runs: LockedRun[] = []
  for (const each of runsIn(path)) {
    const lock = await lockFolder(each, note)
    onClose(lock.release)
    const folder = runFolder(each)
    const recorded = readManifest(folder)
    hideKey(recorded.target.apiKeyEnv, ports)
    const manifest = requireRun(recorded, each, 'it cannot be resumed; start a new one')
    runs.push({ ...(await foldRun(folder, manifest)), lock })
  }
  return runs
}

/** What is sent, and where it is recorded, never changes. */
const FIXED = optionNames(({ phase }, name) => (phase === 'ask' && name !== 'allowHttp') || name === 'out')

/**
 * Throws UsageError with the difference if a fixed option has another value. `targets`: of all runs that are
 * resumed.
 */
function rejectOtherOptions(
  { settings, sandbox }: Job,
  { manifest: { target, options, shard }, folder }: RecordedRun,
  targets: readonly string[],
): void {
  const { knowledgeBase } = target
  const was: Readonly<Record<string, unknown>> = {
    ...options,
    baseUrl: target.baseUrl,
    target: targets.toSorted(),
    sandbox: target.sandbox,
    kb: knowledgeBase === undefined ? SHIPPED_KNOWLEDGE_BASE : resolve(folder.path, knowledgeBase),
    shard: shard && `${shard.index}/${shard.of}`,
  }
  const { baseUrl, kb, target: named } = settings
  const now = {
    ...settings,
    ...(sandbox === false ? {} : { sandbox: true }),
    ...(baseUrl === undefined ? {} : { baseUrl: addressOf(baseUrl, true).baseUrl }),
    ...(kb === undefined ? {} : { kb: resolve(resolveShipped(kb, () => undefined)) }),
    ...(named === undefined ? {} : { target: [...new Set(named)].toSorted() }),
  }
  const fixed = Object.entries(now).filter(([name]) => FIXED.has(name))
  const [changed] = differencesBetween(was, Object.fromEntries(fixed))
  if (changed !== undefined)
    throw optionError(
      'resume',
      `cannot change what is sent: ${asTyped(changed.name)} was ${changed.one}, now ${changed.other}; ` +
        'leave it out, or start a new run',
    )
}

function resumeSession(
  { folder, lock, model, set, manifest: recorded }: Resumed,
  target: Target,
  { settings, ports, note }: Job,
): Omit<RunSession, 'limiter' | 'imported'> {
  // A run that was decided sends the rest, unless it is told again to stop early.
  const isRest = model.stop?.kind === 'decided' && settings.untilDecided === undefined
  const resumed = resumedManifest(recorded, target, folder.path)
  const options = isRest ? { ...resumed.options, untilDecided: false } : resumed.options
  const manifest = { ...resumed, options }
  rejectConfirmedRepeats(options)
  const picker = openPicker(folder.journal)
  const clock = sessionClock(ports.clock)
  const rules = {
    ...turnRulesOf(options),
    at: clock.wall(),
    retryErrors: settings.retryErrors ?? false,
  }
  try {
    const opened = openThreads(set.turns, model.set?.repeats ?? options.repeat)
    const restore = (thread: ThreadState) => {
      const turns = thread.turns.map(({ index }) => turnOf(model.slotOf(index, thread.repeat), picker))
      return restoreThread(thread, turns, rules)
    }
    const restored = opened.map(restore)
    const again = confirmationsIn(model, opened).map(restore)
    const threads = restored.map(({ state }) => state)
    const questions = options.untilDecided ? gradedQuestions(model, picker.pick, options) : []
    const early = untilDecided(manifest, threads, note, questions)
    return {
      target,
      folder,
      lock,
      manifest,
      clock,
      ...early,
      threads: [...early.threads, ...again.map(({ state }) => state)],
      number: model.sessions + 1,
      attemptsBefore: model.attempts,
      opening: [...set.missing, ...[...restored, ...again].flatMap(({ records }) => records)],
    }
  } finally {
    picker.close()
  }
}

/** Those that an earlier session began to send again. `opened`: the conversations of the set. */
const confirmationsIn = (
  { confirming }: RecordedRun['model'],
  opened: readonly ThreadState[],
): ThreadState[] =>
  opened.flatMap(({ order, turns, repeat }) =>
    repeat > 1
      ? []
      : confirming
          .filter(({ index }) => index === turns[0].index)
          .map((slot) => openThread(order, turns, slot.repeat)),
  )

function turnOf({ last, ...slot }: Slot, { pick }: RecordPicker): RecordedTurn {
  if (last === undefined) return { ...slot, last }
  return { ...slot, last: { attempt: last.attempt, read: () => pick(last.position) } }
}
