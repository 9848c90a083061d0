// `run --resume`: finishes a recorded run, in one more journal.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Manifest } from '../options/manifest.ts'
import { openPicker } from '../journal/read.ts'
import type { PlannedTurn } from '../runner/thread-state.ts'
import { turnRulesOf } from '../runner/turn.ts'
import { realClock, startClock } from './clock.ts'
import { openLimiters } from './limiters.ts'
import { readJudging, recordedJudging } from './judging.ts'
import { differencesBetween, withOptions } from './manifest.ts'
import { optionNames, type RunSettings } from '../options/settings.ts'
import { HASH_VARIABLE, initialRecords, openSets } from './question-sets.ts'
import { foldRun, type RecordedRun } from './recorded-run.ts'
import { restoreThreads } from './restore.ts'
import { hideKey } from './secrets.ts'
import { readFolderReviews } from './reviews.ts'
import { type Lock, lockFolder } from '../store/lock.ts'
import { readManifest, rejectLoadTest } from '../store/manifest.ts'
import { noRun, runFolder, runsIn } from '../store/folder.ts'
import type { RunJob } from './job.ts'
import type { Session } from './session.ts'
import { resolveShipped, SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import { addressOf, type Opening, openSandbox, paceOf, resumeTarget, type Target } from './targets.ts'
import { asTyped, optionError, UsageError } from '../options/faults.ts'

/** Throws UsageError, before anything is sent or written, if the run cannot be resumed. */
export async function openResume(job: RunJob, opening: Opening): Promise<Session[]> {
  const { settings } = job
  if (job.datasets.length > 0)
    opening.note('a resume reads its questions from the journal; the question sets given here are not read')
  const runs: (RecordedRun & { readonly lock: Lock })[] = []
  for (const path of runsIn(settings.resume ?? '')) {
    const lock = await lockFolder(path, opening.note)
    opening.onClose(lock.release)
    const folder = runFolder(path)
    const manifest = readManifest(folder)
    hideKey(manifest.target.apiKeyEnv)
    rejectLoadTest(manifest, path, 'it cannot be resumed; start a new one')
    runs.push({ ...(await foldRun(folder, manifest)), lock })
  }
  const [first] = runs
  if (first === undefined) throw noRun(settings.resume ?? '')
  const names = runs.map(({ manifest }) => manifest.target.name)
  const resumed: Resumed[] = []
  for (const run of runs) {
    const { folder } = run
    rejectOtherOptions(settings, run, names)
    resumed.push({ ...run, set: await standingSet(run) })
    // Finds a table that cannot be read before the first call, not after the last.
    await readFolderReviews(folder.path)
  }
  const judged = {
    targets: names,
    questions:
      first.manifest.shard === undefined
        ? resumed.flatMap(({ set }) => set.turns.map(({ question }) => question))
        : undefined,
    recorded: recordedJudging(first),
  }
  const imported = await readJudging(settings, judged, 'sent', opening.note)
  const targetOf = await openTargets(first, settings, job, opening)
  const opened = resumed.map((run) => ({ run, target: targetOf(run.manifest) }))
  const targets = opened.map(({ target }) => target)
  const limiterOf = await openLimiters(targets, opening)
  return opened.map(({ run, target }) => ({
    ...resumeSession(run, target, settings.retryErrors ?? false),
    limiter: limiterOf(target),
    imported,
  }))
}

/** What is sent, and where it is recorded, never changes. */
const FIXED = optionNames(({ phase }, name) => (phase === 'ask' && name !== 'allowHttp') || name === 'out')

/** Throws UsageError with the difference if a fixed option has another value. `targets`: of all runs that are resumed. */
function rejectOtherOptions(
  settings: RunSettings,
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
    ...(baseUrl === undefined ? {} : { baseUrl: addressOf(baseUrl, true).baseUrl }),
    ...(kb === undefined ? {} : { kb: resolve(resolveShipped(kb, () => undefined)) }),
    ...(named === undefined ? {} : { target: [...new Set(named)].toSorted() }),
  }
  const fixed = Object.entries(now).filter(([name]) => FIXED.has(name))
  const [changed] = differencesBetween(was, Object.fromEntries(fixed))
  if (changed !== undefined)
    throw optionError(
      'resume',
      `cannot change what is sent: ${asTyped(changed.name)} was ${changed.one}, now ${changed.other}; leave it out, or start a new run`,
    )
}

/** Runs in one folder share a sandbox. */
async function openTargets(
  { folder, manifest: { target } }: RecordedRun,
  settings: RunSettings,
  { apiKey, baseUrls, sandbox }: RunJob,
  opening: Opening,
): Promise<(manifest: Manifest) => Target> {
  if (!target.sandbox)
    return (manifest) =>
      resumeTarget(manifest, settings, baseUrls?.get(manifest.target.name), apiKey, opening.note)
  const { knowledgeBase } = target
  const kb = knowledgeBase === undefined ? undefined : join(folder.path, knowledgeBase)
  if (kb !== undefined && !existsSync(kb))
    throw new UsageError(
      `the articles of the run cannot be read: ${kb} is not a folder; restore them, or start a new run`,
    )
  const started = await openSandbox(kb === undefined ? {} : { kb }, sandbox, opening)
  return ({ options }) => ({ ...started, settings: paceOf(options, settings) })
}

function resumeSession(
  run: Resumed,
  target: Target,
  retryErrors: boolean,
): Omit<Session, 'limiter' | 'imported'> {
  const { folder, lock, model } = run
  const { turns, records: unrecorded } = run.set
  const manifest = changeManifest(run.manifest, target, folder.path)
  const { options } = manifest
  const picker = openPicker(folder.journal)
  const clock = startClock()
  try {
    const { threads, records } = restoreThreads(turns, model, {
      pick: picker.pick,
      at: clock.wall(),
      repeats: model.set?.repeats ?? options.repeat,
      retryErrors,
      ...turnRulesOf(options),
    })
    return {
      target,
      folder,
      lock,
      manifest,
      threads,
      clock,
      number: model.sessions + 1,
      attemptsBefore: model.attempts,
      opening: [...unrecorded, ...records],
    }
  } finally {
    picker.close()
  }
}

interface Resumed extends RecordedRun {
  readonly lock: Lock
  readonly set: Awaited<ReturnType<typeof standingSet>>
}

/**
 * The questions from the journal; from the files where the process died before it had recorded all of them. `records`: those of the set that the
 * journal lacks.
 */
async function standingSet({ model, manifest, folder }: RecordedRun) {
  const { questions, set } = model
  const { options, shard, datasets } = manifest
  const ranges = set?.ranges ?? [[0, questions.length - 1] as const]
  const turns = ranges.flatMap(([from, to]) =>
    questions
      .slice(from, to + 1)
      .flatMap((question, place) => (question === undefined ? [] : [{ index: from + place, question }])),
  )
  const expected = datasets.reduce((sum, dataset) => sum + dataset.turns, 0)
  // Version 0.1 did not record the set.
  if (set !== undefined || (model.attempts > 0 && turns.length === expected)) return { turns, records: [] }
  const paths = datasets.map(({ source, path }) => join(folder.path, source ?? path))
  const choice = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null))
  if (shard !== undefined) choice['shard'] = `${shard.index}/${shard.of}`
  const lacking = `the journal of ${folder.path} lacks some of its questions`
  const opened = await openSets(paths, choice, () => undefined).catch((error: unknown) => {
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
      `${lacking}, and ${HASH_VARIABLE} is another key than the one that the run started with: set that one, or start a new run`,
    )
  return { turns: opened.turns, records: initialRecords(opened, options.repeat, realClock.wall()) }
}

/** The recorded manifest with the resume's options for pace and judging. */
function changeManifest(
  recorded: Manifest,
  { settings, key, address, apiKeyEnv }: Target,
  folder: string,
): Manifest {
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
