// `run --resume`: opens the sessions that finish a recorded run, each with one more journal.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gradedQuestions } from '../analysis/figures/graded.ts'
import { duration } from '../domain/format.ts'
import { asTyped, optionError, UsageError } from '../options/faults.ts'
import { differencesBetween, type RunManifest } from '../options/manifest.ts'
import { addressIn } from '../options/place.ts'
import { optionNames, type RunSettings } from '../options/settings.ts'
import type { Limiter } from '../pace/limiter.ts'
import { sessionClock } from '../runner/clock.ts'
import { restoreThread } from '../runner/restore.ts'
import { openThread, openThreads, type ThreadState, turnRulesOf } from '../runner/thread.ts'
import { noRun, runFolder, runsIn } from '../store/folder.ts'
import { lockFolder } from '../store/lock.ts'
import { readManifest, requireRun, withOptions } from '../store/manifest.ts'
import { type Job, rejectTogether, requireAddress } from './job.ts'
import { readJudging } from './judging.ts'
import { addressOf, openLimiters, openSandbox, resolveTarget, type Target } from './targets.ts'
import { openSets, recordedSet } from './question-sets.ts'
import { openPaced } from './paced.ts'
import { foldRun, type RecordedRun } from './recorded-run.ts'
import { reviewsIn } from './reviews.ts'
import { inFolder } from './session.ts'
import { resolveShipped, SHIPPED_KNOWLEDGE_BASE } from './ports.ts'

export async function openResumed(job: Job) {
  const { settings, note } = job
  const path = settings.resume ?? ''
  if (job.datasets.length > 0 && settings.continue !== true)
    note('a resume reads its questions from the journal; the question sets given here are not read')
  const resumed: Locked[] = []
  for (const folder of runsIn(path)) resumed.push(await openLocked(folder, job))
  const [first] = resumed
  if (first === undefined) throw noRun(path)
  if (settings.continue === true) await rejectOtherNight(path, resumed, job)
  const names = resumed.map(({ manifest }) => manifest.target.name)
  for (const run of resumed) {
    rejectOtherOptions(job, run, names)
    // Finds a table that cannot be read before the first call, not after the last.
    await reviewsIn(run.path)
  }
  const sent = resumed.flatMap(({ set }) => set.turns.map(({ question }) => question))
  const questions = first.manifest.shard === undefined ? sent : undefined
  const imported = await readJudging(settings, { targets: names, questions, recorded: first }, job)
  // Runs in one folder share a sandbox.
  const sandbox = first.manifest.target.sandbox ? await openSandboxAgain(first, job) : undefined
  const opened = resumed.map((run) => {
    const again = sandbox && { ...sandbox, settings: withRecordedPace(run, settings) }
    return { run, target: again ?? resumeTarget(run, job) }
  })
  const limiterOf = await openLimiters(
    opened.map(({ target }) => target),
    job,
  )
  const runs = []
  for (const { run, target } of opened) runs.push(await resumeSession(run, target, limiterOf(target), job))
  return { runs, imported }
}

type Locked = Awaited<ReturnType<typeof openLocked>>

async function openLocked(path: string, job: Job) {
  const { note, onClose, ports } = job
  const lock = await lockFolder(path, note)
  onClose(lock.release)
  const folder = runFolder(path)
  const recorded = readManifest(folder)
  ports.secrets.keepLong(ports.env[recorded.target.apiKeyEnv])
  const manifest = requireRun(recorded, path, 'it cannot be resumed; start a new one')
  const run = await foldRun(folder, manifest)
  return { ...run, lock, set: await recordedSet(run, job) }
}

/** Tells a run to go on with from one of the night before. */
const MAX_RETRY_MS = 12 * 3_600_000

/** Throws UsageError if `--continue` finds the run of another job: last night's, or one of another set. */
async function rejectOtherNight(path: string, runs: readonly RecordedRun[], job: Job): Promise<void> {
  const { datasets, settings, ports } = job
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

const FIXED = optionNames(({ phase }, name) => phase === 'ask' && name !== 'allowHttp')

function rejectOtherOptions(job: Job, { manifest, path }: RecordedRun, names: readonly string[]): void {
  const { target, options, shard } = manifest
  const settings = settingsNow(manifest, job)
  const isSandbox = job.sandbox !== false
  const { knowledgeBase } = target
  const was: Readonly<Record<string, unknown>> = {
    ...options,
    baseUrl: target.baseUrl,
    target: names.toSorted(),
    sandbox: target.sandbox,
    kb: knowledgeBase === undefined ? SHIPPED_KNOWLEDGE_BASE : resolve(path, knowledgeBase),
    shard: shard && `${shard.index}/${shard.of}`,
  }
  const isContinued = settings.continue === true
  const baseUrl = settings.baseUrl ?? (isContinued && !isSandbox ? addressIn(job.ports.env) : undefined)
  const started = isSandbox ? ['sandbox'] : job.targets.map(({ name }) => name)
  const named = isContinued ? started : settings.target
  const { kb } = settings
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
      isContinued ? 'continue' : 'resume',
      `cannot change what is sent: ${asTyped(changed.name)} was ${changed.before}, now ${changed.now}; ` +
        'leave it out, or start a new run',
    )
}

const settingsNow = ({ target }: RunManifest, { settings, targets }: Job): RunSettings =>
  (settings.continue === true && targets.find(({ name }) => name === target.name)?.settings) || settings

async function openSandboxAgain({ path, manifest }: RecordedRun, job: Job): Promise<Target> {
  const { knowledgeBase } = manifest.target
  if (knowledgeBase === undefined) return openSandbox({}, job)
  const kb = join(path, knowledgeBase)
  if (existsSync(kb)) return openSandbox({ kb }, job)
  throw new UsageError(
    `the articles of the run cannot be read: ${kb} is not a folder; restore them, or start a new run`,
  )
}

/** Takes the current key. Throws UsageError if it may belong to another desk: it must not be sent there. */
function resumeTarget(run: RecordedRun, job: Job): Target {
  const { name, baseUrl, apiKeyEnv, organization, keyFingerprint } = run.manifest.target
  const typed = settingsNow(run.manifest, job)
  // The address was checked when the run started.
  const settings = { apiKeyEnv, organization, ...withRecordedPace(run, typed), baseUrl, allowHttp: true }
  const configured = job.configured.find((target) => target.name === name)
  if (configured !== undefined) requireAddress(configured)
  const resolved = resolveTarget({ name, settings }, job)
  const { fingerprint } = resolved.access.key
  if (fingerprint === keyFingerprint) return resolved
  const byEnvironment = name === 'default' ? addressIn(job.ports.env) : undefined
  const now = String(typed.baseUrl ?? configured?.baseUrl ?? byEnvironment ?? '').trim()
  if (now !== '' && addressOf(now, true).baseUrl !== baseUrl)
    throw new UsageError(
      `the run sends to ${baseUrl}, but both the base URL and the key have changed: ` +
        `restore them; --base-url ${baseUrl} confirms the key`,
    )
  job.note(
    `the key in ${resolved.apiKeyEnv} has changed (${fingerprint}, was ${keyFingerprint}); ` +
      'it must belong to the same organization',
  )
  return resolved
}

function withRecordedPace({ manifest, path }: RecordedRun, typed: RunSettings): RunSettings {
  const { rate, share, concurrency, limiter, header, clientCert, clientKey } = manifest.options
  const recorded = { rate, share, concurrency, limiter, header }
  return {
    ...recorded,
    ...(clientCert === null ? {} : { clientCert: resolve(path, clientCert) }),
    ...(clientKey === null ? {} : { clientKey: resolve(path, clientKey) }),
    ...typed,
  }
}

async function resumeSession(run: Locked, target: Target, limiter: Limiter, job: Job) {
  const { folder, lock, model, set, manifest: recorded } = run
  const { settings, ports } = job
  const renewed = withOptions(recorded, target.settings, folder.path, ['pace', 'judge'])
  // A run that was decided sends the rest, unless it is told again to stop early.
  const isRest = model.stop?.kind === 'decided' && settings.untilDecided === undefined
  const options = isRest ? { ...renewed.options, untilDecided: false } : renewed.options
  rejectTogether({ ...options, shard: recorded.shard })
  const clock = sessionClock(ports.clock)
  const { retryErrors = false } = settings
  const rules = { ...turnRulesOf(options), at: clock.wall(), retryErrors, pick: run.pick }
  const restore = (thread: ThreadState) => {
    const turns = thread.turns.map(({ index }) => model.slotOf(index, thread.repeat))
    return restoreThread(thread, turns, rules)
  }
  try {
    const opened = openThreads(set.turns, model.set?.repeats ?? options.repeat)
    const restored = opened.map(restore)
    const again = opened
      .filter(({ repeat }) => repeat === 1)
      .flatMap(({ order, turns }) =>
        model.confirming
          .filter(({ index }) => index === turns[0].index)
          .map((slot) => restore(openThread(order, turns, slot.repeat))),
      )
    const plan = {
      target,
      recording: inFolder(folder, lock, target.access.mask),
      manifest: {
        ...renewed,
        options,
        state: 'running' as const,
        target: {
          ...renewed.target,
          baseUrl: target.address.baseUrl,
          organization: target.settings.organization ?? renewed.target.organization,
          apiKeyEnv: target.apiKeyEnv,
          keyFingerprint: target.access.key.fingerprint,
        },
      },
      clock,
      threads: restored.map(({ state }) => state),
      number: model.sessions + 1,
      attemptsBefore: model.attempts,
      opening: [...set.missing, ...[...restored, ...again].flatMap(({ records }) => records)],
    }
    const questions = options.untilDecided ? gradedQuestions(model, run.pick, options) : []
    const confirming = again.map(({ state }) => state)
    return await openPaced(plan, limiter, job, questions, confirming)
  } finally {
    run.close()
  }
}
