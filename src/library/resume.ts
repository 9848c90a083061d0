// `run --resume`: a recorded run goes on in one more journal, from where its journals leave it.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RunIndex } from '../analysis/run-index.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Manifest } from '../domain/manifest.ts'
import { parseBaseUrl } from '../endpoint/address.ts'
import { openPicker } from '../journal/read.ts'
import type { PlannedTurn } from '../runner/thread-state.ts'
import { realClock } from './clock.ts'
import { checkBaseline } from './compare.ts'
import type { Teller } from './events.ts'
import { indexRun, type RecordedRun } from './fold.ts'
import { openLimiters } from './limiters.ts'
import { datasetsOf, judgedBy, withBaselineThere, withBudget } from './manifest.ts'
import { hashKeyFingerprint, openingRecords, openSets } from './question-sets.ts'
import { optionsByKey, type RunSettings } from './options.ts'
import { restoreThreads } from './restore.ts'
import { loadReviews, readFolderReviews } from './reviews.ts'
import {
  isRun,
  lockFolder,
  readManifest,
  rejectLoadTest,
  rejectNoRun,
  runFolder,
  runsIn,
  type RunFolder,
} from './run-folder.ts'
import type { Closing, Plan, RunJob, Session } from './session.ts'
import { paceOf, resumeTarget, startSandboxTarget, type Target } from './targets.ts'
import { asTyped, optionError, UsageError } from './usage-error.ts'

interface Recorded {
  readonly folder: RunFolder
  readonly manifest: Manifest
}

/** Throws UsageError where a run cannot go on as it is; nothing has been sent or written then. */
export async function planResume(job: RunJob, { note }: Teller, closing: Closing): Promise<Plan> {
  const { settings: given, environment } = job
  const runs = findRuns(given.resume ?? '')
  const [first] = runs
  if (first === undefined) throw new Error('no run to resume')
  const settings = withBaselineThere(given, first.manifest.options.baseline, note)
  for (const { manifest } of runs) rejectOtherOptions(settings, manifest)
  await checkBaseline(
    settings,
    runs.map(({ manifest }) => manifest.target.name),
    undefined,
  )
  const brought = await loadReviews(settings.reviews, 'sent', note)
  const targets = await openTargets(runs, settings, job, note, closing)
  const limiters = await openLimiters(targets, environment, note)
  closing.push(limiters.close)
  const sessions: Session[] = []
  for (const [place, { folder }] of runs.entries()) {
    const target = targets[place]
    if (target === undefined) throw new Error(`the run in ${folder.path} has no target`)
    closing.push(lockFolder(folder.path))
    // Read again under the lock: another session may have ended meanwhile.
    const run = await indexRun(folder, readManifest(folder))
    await readFolderReviews(folder, run.index.questions, undefined)
    const limiter = limiters.of(target)
    sessions.push({ ...(await planSession(run, target, job, note)), target, folder, limiter })
  }
  return { sessions, brought }
}

/** The run in the folder, or one for each target in the folders below it. */
function findRuns(path: string): Recorded[] {
  const isFolder = existsSync(path) && statSync(path).isDirectory()
  const paths = isFolder && !isRun(path) ? runsIn(path) : []
  const unbegun =
    paths.length === 0 ? undefined : readdirSync(path).find((name) => isUnbegun(join(path, name)))
  if (unbegun !== undefined)
    throw optionError(
      'resume',
      `${path}: folder ${unbegun} holds no run: it was not begun; name the folder of each run that was`,
    )
  if (paths.length === 0) {
    try {
      rejectNoRun(path)
    } catch (error) {
      throw error instanceof UsageError ? optionError('resume', error.message) : error
    }
    paths.push(path)
  }
  return paths.map((one) => {
    const folder = runFolder(one)
    const manifest = readManifest(folder)
    rejectLoadTest(manifest, one, 'it cannot be resumed; start a new one')
    return { folder, manifest }
  })
}

const isUnbegun = (path: string): boolean => statSync(path).isDirectory() && !isRun(path)

/** What is sent is fixed for the life of a run, and so is where it is written. */
const FIXED = optionsByKey(({ phase }, name) => (phase === 'ask' && name !== 'allow-http') || name === 'out')

/** Throws UsageError with the difference where such an option is given again and is another. */
function rejectOtherOptions(settings: RunSettings, { target, options, shard }: Manifest): void {
  const was: Readonly<Record<string, unknown>> = {
    ...options,
    baseUrl: target.baseUrl,
    target: [target.name],
    sandbox: target.sandbox,
    shard: shard && `${shard.index}/${shard.of}`,
  }
  for (const [name, given] of Object.entries(settings)) {
    if (!FIXED.has(name)) continue
    const option = asTyped(name)
    if (!(name in was))
      throw optionError('resume', `goes on as the run was started: ${option} cannot be given again`)
    const [before, now] = [
      say(was[name]),
      say(name === 'baseUrl' && settings.baseUrl !== undefined ? baseUrlOf(settings.baseUrl) : given),
    ]
    if (before !== now)
      throw optionError(
        'resume',
        `goes on as the run was started: ${option} was ${before}, not ${now}; start a new run for that`,
      )
  }
}

/** As the manifest has it. */
function baseUrlOf(text: string): string {
  const address = parseBaseUrl(text, true)
  return address.kind === 'address' ? address.baseUrl : text
}

function say(value: unknown): string {
  if (value === undefined || value === null) return 'not given'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** In the order of the runs. All runs of one folder had one sandbox. */
async function openTargets(
  runs: readonly Recorded[],
  settings: RunSettings,
  { environment, apiKey, baseUrls, sandbox }: RunJob,
  note: (text: string) => void,
  closing: Closing,
): Promise<Target[]> {
  const [first] = runs
  if (first?.manifest.target.sandbox !== true)
    return runs.map(({ manifest }) =>
      resumeTarget(manifest, settings, baseUrls?.get(manifest.target.name), environment, apiKey, note),
    )
  const { knowledgeBase } = first.manifest.target
  const articles =
    knowledgeBase === undefined ? { kb: undefined } : { folder: first.folder.path, way: knowledgeBase }
  const config = typeof sandbox === 'object' ? sandbox : undefined
  const { target, close } = await startSandboxTarget(articles, config, note)
  closing.push(close)
  return runs.map(({ manifest }) => ({ ...target, settings: paceOf(manifest.options, settings) }))
}

async function planSession(
  run: RecordedRun,
  target: Target,
  job: RunJob,
  note: (text: string) => void,
): Promise<Omit<Session, 'target' | 'folder' | 'limiter'>> {
  const { folder, index } = run
  const standing = recordedSet(run) ?? (await setFromFiles(run, job, note))
  const manifest = changeManifest({ ...run.manifest, ...standing.manifest }, target, folder.path, index)
  const { options } = manifest
  const picker = openPicker(folder.journal)
  try {
    const { threads, records } = restoreThreads(standing.turns, index, {
      pick: picker.pick,
      at: realClock.wall(),
      repeats: index.set?.repeats ?? options.repeat,
      retryErrors: job.settings.retryErrors ?? false,
      rotatingIds: options.rotatingIds,
      restartOnAmbiguous: options.onAmbiguous === 'restart',
      asksAgain: 'unprocessed',
    })
    return {
      manifest,
      turns: standing.turns,
      threads,
      number: index.sittings + 1,
      attemptsBefore: index.attempts,
      opening: [...standing.records, ...records],
      stateBefore: run.manifest.state,
    }
  } finally {
    picker.close()
  }
}

interface StandingSet {
  readonly turns: readonly PlannedTurn[]
  /** What the journal must hold of it and does not yet. */
  readonly records: readonly JournalRecord[]
  readonly manifest: Partial<Manifest>
}

/** The questions that stand, where the journal holds all of them. */
function recordedSet({ index, manifest }: RecordedRun): StandingSet | undefined {
  const { questions, set, attempts } = index
  const turns = (set?.ranges ?? [[0, questions.length - 1]]).flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, place) => from + place).flatMap((number): PlannedTurn[] => {
      const question = questions[number]
      return question === undefined ? [] : [{ index: number, question }]
    }),
  )
  // The first journals of version 0.1 hold no word on which questions stand.
  const expected = manifest.datasets.reduce((sum, dataset) => sum + dataset.turns, 0)
  const isWhole = set !== undefined || (attempts > 0 && turns.length === expected)
  return isWhole ? { turns, records: [], manifest: {} } : undefined
}

/** The process died before it had written them, or the journal lost some: the files hold them still. */
async function setFromFiles(
  { folder, manifest, index }: RecordedRun,
  { datasets: named, environment }: RunJob,
  note: (text: string) => void,
): Promise<StandingSet> {
  const { tag, grep, sample, seed, format, hashEndUserRefs, hashKey, repeat } = manifest.options
  const { shard } = manifest
  if (hashKey !== undefined && hashKey !== hashKeyFingerprint(environment))
    throw new UsageError(
      'the run hashed end_user_ref with another ASSIST_HASH_KEY: set the variable as it was then',
    )
  const changed = new UsageError(
    `the journal of ${folder.path} does not hold all of its questions, and the set is not as it was: put it back, or start a new run`,
  )
  const recorded = manifest.datasets.map(({ source, path }) => join(folder.path, source ?? path))
  const paths = named.length > 0 ? named : recorded
  if (!paths.every((path) => existsSync(path))) throw changed
  const opened = await openSets(
    paths,
    {
      ...(format === null ? {} : { format }),
      ...(tag.length === 0 ? {} : { tag }),
      ...(grep === null ? {} : { grep }),
      ...(sample === null ? {} : { sample, seed }),
      ...(shard === undefined ? {} : { shard: `${shard.index}/${shard.of}` }),
      hashEndUserRefs,
    },
    environment,
    () => undefined,
  )
  const { turns } = opened.questions
  const digests = opened.set.files.map(({ digest }) => digest)
  const isSame = manifest.datasets.every(({ digest }, file) => digests[file] === digest)
  const differs = turns.some(
    ({ index: place, question }) => (index.questions.at(place)?.id ?? question.id) !== question.id,
  )
  if (!isSame || differs) throw changed
  if (index.attempts > 0) note('the journal had lost questions; they were read from the set again')
  return {
    turns,
    records: openingRecords(opened, repeat, realClock.wall()),
    manifest: {
      datasets: datasetsOf(opened.set, turns, folder.path),
      columns: [...opened.set.columns],
      ...(shard === undefined || opened.shard === undefined
        ? {}
        : { shard: { ...shard, whole: opened.shard.whole } }),
    },
  }
}

/** As it was, but for what the resume says anew: how fast it goes and how it is judged. */
function changeManifest(
  manifest: Manifest,
  { settings, key, address, apiKeyEnv, organization }: Target,
  folder: string,
  { everySlot }: RunIndex<unknown>,
): Manifest {
  const budgeted = settings.maxCalls === undefined ? manifest : withBudget(manifest, settings.maxCalls)
  const judged = judgedBy(budgeted, settings, folder)
  const { options, target } = judged
  // Calls have counted toward the organization that the manifest names.
  const isCounted = everySlot.some(({ usage }) => usage.certain > 0)
  return {
    ...judged,
    state: 'running',
    endedAt: null,
    target: {
      ...target,
      baseUrl: address.baseUrl,
      organization: settings.organization ?? (isCounted ? target.organization : organization),
      apiKeyEnv,
      keyFingerprint: key.fingerprint,
    },
    options: {
      ...options,
      rate: settings.rate ?? options.rate,
      share: settings.share ?? options.share,
      concurrency: settings.concurrency ?? options.concurrency,
      limiter: settings.limiter ?? options.limiter,
      giveUpAfter: settings.giveUpAfter ?? options.giveUpAfter,
      timeout: settings.timeout ?? options.timeout,
    },
  }
}
