// `run --resume`: opens the sessions that finish a recorded run, each with one more journal.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Slot } from '../analysis/fold.ts'
import { openPicker, type RecordPicker } from '../journal/read.ts'
import { asTyped, optionError, UsageError } from '../options/faults.ts'
import { differencesBetween, type Manifest, type RunManifest } from '../options/manifest.ts'
import { optionNames } from '../options/settings.ts'
import { sessionClock } from '../runner/clock.ts'
import { type RecordedTurn, restoreThread } from '../runner/restore.ts'
import { openThreads, type PlannedTurn } from '../runner/thread-state.ts'
import { turnRulesOf } from '../runner/turn.ts'
import { noRun, runFolder, runsIn } from '../store/folder.ts'
import { type Lock, lockFolder } from '../store/lock.ts'
import { readManifest, requireRun } from '../store/manifest.ts'
import { withOptions } from '../store/recorded-options.ts'
import type { Job } from './job.ts'
import { readJudging, recordedJudging } from './judging.ts'
import { openLimiters } from './limiters.ts'
import { HASH_VARIABLE, initialRecords, openSets } from './question-sets.ts'
import { foldRun, type RecordedRun } from './recorded-run.ts'
import { readFolderReviews } from './reviews.ts'
import { hideKey } from './secrets.ts'
import type { RunSession } from './session.ts'
import { resolveShipped, SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import { addressOf, openSandbox, paceOf, resumeTarget, type Target } from './targets.ts'

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
  const imported = await readJudging(settings, judged, 'sent', job)
  const targetOf = await openTargets(first, job)
  const opened = resumed.map((run) => ({ run, target: targetOf(run.manifest) }))
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

/** Runs in one folder share a sandbox. */
async function openTargets(
  { folder, manifest: { target } }: RecordedRun,
  job: Job,
): Promise<(manifest: Manifest) => Target> {
  if (!target.sandbox) return (manifest) => resumeTarget(manifest, job)
  const { knowledgeBase } = target
  const kb = knowledgeBase === undefined ? undefined : join(folder.path, knowledgeBase)
  if (kb !== undefined && !existsSync(kb))
    throw new UsageError(
      `the articles of the run cannot be read: ${kb} is not a folder; restore them, or start a new run`,
    )
  const started = await openSandbox(kb === undefined ? {} : { kb }, job)
  return ({ options }) => ({ ...started, settings: paceOf(options, job.settings) })
}

function resumeSession(
  { folder, lock, model, set, manifest: recorded }: Resumed,
  target: Target,
  { settings, ports }: Job,
): Omit<RunSession, 'limiter' | 'imported'> {
  const manifest = changeManifest(recorded, target, folder.path)
  const { options } = manifest
  const picker = openPicker(folder.journal)
  const clock = sessionClock(ports.clock)
  const rules = {
    ...turnRulesOf(options),
    at: clock.wall(),
    retryErrors: settings.retryErrors ?? false,
  }
  try {
    const restored = openThreads(set.turns, model.set?.repeats ?? options.repeat).map((thread) => {
      const turns = thread.turns.map(({ index }) => turnOf(model.slotOf(index, thread.repeat), picker))
      return restoreThread(thread, turns, rules)
    })
    return {
      target,
      folder,
      lock,
      manifest,
      clock,
      threads: restored.map(({ state }) => state),
      number: model.sessions + 1,
      attemptsBefore: model.attempts,
      opening: [...set.missing, ...restored.flatMap(({ records }) => records)],
    }
  } finally {
    picker.close()
  }
}

function turnOf({ last, ...slot }: Slot, { pick }: RecordPicker): RecordedTurn {
  if (last === undefined) return { ...slot, last }
  return { ...slot, last: { attempt: last.attempt, read: () => pick(last.position) } }
}

/**
 * The questions from the journal; from the files where the process died before it had recorded all of them.
 * `missing`: the records of the set that the journal lacks.
 */
async function recordedSet({ model, manifest, folder }: RecordedRun, { ports }: Job) {
  const { questions, set } = model
  const { options, shard, datasets } = manifest
  const ranges = set?.ranges ?? [[0, questions.length - 1] as const]
  const turns = ranges.flatMap(([from, to]) =>
    questions
      .slice(from, to + 1)
      .flatMap((question, offset) => (question === undefined ? [] : [{ index: from + offset, question }])),
  )
  const expected = datasets.reduce((sum, dataset) => sum + dataset.turns, 0)
  if (set !== undefined || (model.attempts > 0 && turns.length === expected)) return { turns, missing: [] }
  const paths = datasets.map(({ source, path }) => join(folder.path, source ?? path))
  const choice = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null))
  if (shard !== undefined) choice['shard'] = `${shard.index}/${shard.of}`
  const lacking = `the journal of ${folder.path} lacks some of its questions`
  const opened = await openSets(paths, choice, { note: () => undefined, ports }).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError([
      { path: '', message: `${lacking}, and they cannot be read from the question set again:` },
      ...error.issues,
    ])
  })
  if (datasets.some(({ digest }, file) => opened.set.files[file]?.digest !== digest))
    throw new UsageError(`${lacking}, and the question set has changed: restore the set, or start a new run`)
  const isOther = ({ index, question }: PlannedTurn): boolean => {
    const recorded = questions[index]
    return recorded !== undefined && recorded.endUserRef !== question.endUserRef
  }
  if (opened.turns.some(isOther))
    throw new UsageError(
      `${lacking}, and ${HASH_VARIABLE} is another key than the one that the run started with: ` +
        'set that one, or start a new run',
    )
  return { turns: opened.turns, missing: initialRecords(opened, options.repeat, ports.clock.wall()) }
}

/** The recorded manifest with the resume's options for pace and judging. */
function changeManifest(
  recorded: RunManifest,
  { settings, key, address, apiKeyEnv }: Target,
  folder: string,
): RunManifest {
  const manifest = withOptions(recorded, settings, folder, ['pace', 'judge'])
  const { target } = manifest
  return {
    ...manifest,
    state: 'running',
    endedAt: null,
    target: {
      ...target,
      baseUrl: address.baseUrl,
      organization: settings.organization ?? target.organization,
      apiKeyEnv,
      keyFingerprint: key.fingerprint,
    },
  }
}
