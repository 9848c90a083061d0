// `run --resume`: opens the sessions that finish a recorded run, each with one more journal.
import { resolve } from 'node:path'
import { gradedQuestions } from '../analysis/graded.ts'
import { createRunCounts } from '../analysis/progress.ts'
import { duration } from '../domain/format.ts'
import { asTyped, optionError } from '../options/faults.ts'
import { differencesBetween, type RunManifest } from '../options/manifest.ts'
import { optionNames } from '../options/settings.ts'
import { sessionClock } from '../runner/clock.ts'
import { restoreThread } from '../runner/restore.ts'
import { openThread, openThreads, type ThreadState, turnsLeft } from '../runner/thread-state.ts'
import { turnRulesOf } from '../runner/turn.ts'
import { noRun, runFolder, runsIn } from '../store/folder.ts'
import { type Lock, lockFolder } from '../store/lock.ts'
import { readManifest, requireRun } from '../store/manifest.ts'
import { withOptions } from '../store/recorded-options.ts'
import { type Job, rejectConfirmedRepeats } from './job.ts'
import { readJudging } from './judging.ts'
import { openLimiters } from './limiters.ts'
import { openSets, recordedSet } from './question-sets.ts'
import type { OpenedRuns } from './paced.ts'
import { foldRun, type RecordedRun } from './recorded-run.ts'
import { reviewsIn } from './reviews.ts'
import { inFolder, Session } from './session.ts'
import { resolveShipped, SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import { addressOf, resumeTargets, settingsNow, type Target } from './targets.ts'
import { untilDecided } from './until-decided.ts'

/** Throws UsageError, before anything is sent or written, if the run cannot be resumed. */
export async function openResumed(job: Job): Promise<OpenedRuns> {
  const { settings, note } = job
  if (job.datasets.length > 0 && settings.continue !== true)
    note('a resume reads its questions from the journal; the question sets given here are not read')
  const recorded = await openRecorded(settings.resume ?? '', job)
  const [first] = recorded
  if (first === undefined) throw noRun(settings.resume ?? '')
  if (settings.continue === true) await rejectOtherNight(recorded, job)
  const names = recorded.map(({ manifest }) => manifest.target.name)
  const resumed: Resumed[] = []
  for (const run of recorded) {
    rejectOtherOptions(job, run, names)
    resumed.push({ ...run, set: await recordedSet(run, job) })
    // Finds a table that cannot be read before the first call, not after the last.
    await reviewsIn(run.folder.path)
  }
  const sent = resumed.flatMap(({ set }) => set.turns.map(({ question }) => question))
  const questions = first.manifest.shard === undefined ? sent : undefined
  const judged = { targets: names, questions, recorded: first }
  const imported = await readJudging(settings, judged, job)
  const targetOf = await resumeTargets(first, job)
  const opened = resumed.map((run) => ({ run, target: targetOf(run) }))
  const targets = opened.map(({ target }) => target)
  const limiterOf = await openLimiters(targets, job)
  const runs = opened.map(({ run, target }) => ({
    ...resumeSession(run, target, job),
    limiter: limiterOf(target),
  }))
  return { runs, imported }
}

type LockedRun = RecordedRun & { readonly lock: Lock }
type Resumed = LockedRun & { readonly set: Awaited<ReturnType<typeof recordedSet>> }

async function openRecorded(path: string, { note, onClose, ports }: Job): Promise<LockedRun[]> {
  const runs: LockedRun[] = []
  for (const each of runsIn(path)) {
    const lock = await lockFolder(each, note)
    onClose(lock.release)
    const folder = runFolder(each)
    const recorded = readManifest(folder)
    ports.secrets.keepLong(ports.env[recorded.target.apiKeyEnv])
    const manifest = requireRun(recorded, each, 'it cannot be resumed; start a new one')
    runs.push({ ...(await foldRun(folder, manifest)), lock })
  }
  return runs
}

/** An older run is that of the night before. */
const MAX_RETRY_MS = 12 * 3_600_000

/** Throws UsageError if `--continue` finds the run of another job: last night's, or one of another set. */
async function rejectOtherNight(runs: readonly RecordedRun[], job: Job): Promise<void> {
  const { datasets, settings, ports } = job
  const path = settings.resume ?? ''
  const ends = runs.flatMap(({ manifest: { state, endedAt } }) =>
    (state === 'complete' || state === 'decided') && endedAt !== null ? [endedAt] : [],
  )
  const age = ports.clock.wall() - Math.max(...ends.map(Date.parse))
  if (ends.length === runs.length && age > MAX_RETRY_MS)
    throw optionError(
      'continue',
      `${path} holds a run that has been complete for ${duration(age)}: name a new folder with --out, ` +
        'as in --out "reports/$(date -u +%F)"',
    )
  if (datasets.length === 0) return
  const { set } = await openSets(datasets, { ...settings, hashEndUserRefs: false }, job)
  const digests = set.files.map(({ digest }) => digest).join()
  const other = runs.find(({ manifest }) => manifest.datasets.map(({ digest }) => digest).join() !== digests)
  if (other !== undefined)
    throw optionError(
      'continue',
      `${path} holds a run of another set ` +
        `(${other.manifest.datasets.map((file) => file.path).join(', ')}): ` +
        `name a new folder with --out, or finish that run with --resume ${path}`,
    )
}

/** A resume changes neither what is sent nor where it is recorded. */
const FIXED = optionNames(({ phase }, name) => (phase === 'ask' && name !== 'allowHttp') || name === 'out')

/** Throws UsageError with the difference if a fixed option has another value. */
function rejectOtherOptions(job: Job, { manifest, folder }: RecordedRun, targets: readonly string[]): void {
  const { target, options, shard } = manifest
  const settings = settingsNow(manifest, job)
  const isSandbox = job.sandbox !== false
  const { knowledgeBase } = target
  const was: Readonly<Record<string, unknown>> = {
    ...options,
    baseUrl: target.baseUrl,
    target: targets.toSorted(),
    sandbox: target.sandbox,
    kb: knowledgeBase === undefined ? SHIPPED_KNOWLEDGE_BASE : resolve(folder.path, knowledgeBase),
    shard: shard && `${shard.index}/${shard.of}`,
  }
  const { kb } = settings
  const isContinued = settings.continue === true
  const byEnvironment = isContinued && !isSandbox && job.ports.env['ASSIST_BASE_URL']?.trim()
  const baseUrl = settings.baseUrl ?? (byEnvironment || undefined)
  const started = isSandbox ? ['sandbox'] : job.targets.map(({ name }) => name)
  const named = isContinued ? started : settings.target
  const now = {
    ...settings,
    ...(isSandbox ? { sandbox: true } : {}),
    ...(baseUrl === undefined ? {} : { baseUrl: addressOf(baseUrl, true).baseUrl }),
    ...(kb === undefined ? {} : { kb: resolve(resolveShipped(kb, () => undefined)) }),
    ...(named === undefined ? {} : { target: [...new Set(named)].toSorted() }),
  }
  const fixed = Object.entries(now).filter(([name]) => FIXED.has(name))
  const [changed] = differencesBetween(was, Object.fromEntries(fixed))
  if (changed !== undefined)
    throw optionError(
      'resume',
      `cannot change what is sent: ${asTyped(changed.name)} was ${changed.before}, now ${changed.now}; ` +
        'leave it out, or start a new run',
    )
}

function resumeSession(run: Resumed, target: Target, job: Job) {
  const { folder, lock, model, set, manifest: recorded } = run
  const { settings, ports, note } = job
  const renewed = withOptions(recorded, target.settings, folder.path, ['pace', 'judge'])
  // A run that was decided sends the rest, unless it is told again to stop early.
  const isRest = model.stop?.kind === 'decided' && settings.untilDecided === undefined
  const options = isRest ? { ...renewed.options, untilDecided: false } : renewed.options
  rejectConfirmedRepeats(options.confirm, options.repeat)
  const manifest: RunManifest = {
    ...renewed,
    options,
    state: 'running',
    endedAt: null,
    target: {
      ...renewed.target,
      baseUrl: target.address.baseUrl,
      organization: target.settings.organization ?? renewed.target.organization,
      apiKeyEnv: target.apiKeyEnv,
      keyFingerprint: target.access.key.fingerprint,
    },
  }
  const clock = sessionClock(ports.clock)
  const rules = {
    ...turnRulesOf(options),
    at: clock.wall(),
    retryErrors: settings.retryErrors ?? false,
  }
  try {
    const opened = openThreads(set.turns, model.set?.repeats ?? options.repeat)
    const restore = (thread: ThreadState) => {
      const turns = thread.turns.map(({ index }) => {
        const { last, ...slot } = model.slotOf(index, thread.repeat)
        return { ...slot, last: last && { attempt: last.attempt, read: () => run.pick(last.position) } }
      })
      return restoreThread(thread, turns, rules)
    }
    const restored = opened.map(restore)
    const again = opened
      .filter(({ repeat }) => repeat === 1)
      .flatMap(({ order, turns }) =>
        model.confirming
          .filter(({ index }) => index === turns[0].index)
          .map((slot) => restore(openThread(order, turns, slot.repeat))),
      )
    const threads = restored.map(({ state }) => state)
    const questions = options.untilDecided ? gradedQuestions(model, run.pick, options) : []
    const early = untilDecided(manifest, threads, note, questions)
    const confirming = again.map(({ state }) => state)
    const all = [...early.threads, ...confirming]
    const counts = createRunCounts(early.threads, options.groundedSources, early.decider)
    counts.expect(confirming)
    const isOver = counts.isDecided?.() === true || all.every((thread) => turnsLeft(thread) === 0)
    const plan = {
      target,
      recording: inFolder(folder, lock, target.access.mask),
      // A run that is only judged again ended when it ended.
      manifest: isOver ? { ...manifest, endedAt: recorded.endedAt } : manifest,
      clock,
      threads: all,
      number: model.sessions + 1,
      attemptsBefore: model.attempts,
      opening: [...set.missing, ...[...restored, ...again].flatMap(({ records }) => records)],
    }
    return { session: new Session(plan, job), counts }
  } finally {
    run.close()
  }
}
