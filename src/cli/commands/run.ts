// `run`: ask every question of the sets, record, summarise, judge; or go on with a run that stopped.
import type { ReviewFile } from '../../analysis/reviews/merge.ts'
import { describePart } from '../../domain/shard.ts'
import { plural } from '../../report/numbers.ts'
import { visible } from '../../report/visible.ts'
import { checkBaseline, refuseLonely } from '../comparing/baseline.ts'
import { forecast } from '../estimating/forecast.ts'
import { checkThresholds } from '../gates.ts'
import { refHider } from '../end-user-refs.ts'
import type { Environment } from '../environment.ts'
import { COMMAND_LINE, type Host } from '../host.ts'
import { keepHeapLean } from '../lean-heap.ts'
import { lockFolder } from '../folder-lock.ts'
import { openLimiters, type Limiters } from '../limiters.ts'
import type { RunSettings } from '../options/run-options.ts'
import { say } from '../output.ts'
import { planSittings } from '../plan.ts'
import { quotaFrom } from '../quota.ts'
import { openSets, refuseTwice } from '../question-sets.ts'
import { loadReviews, reviewsOfSets } from '../reviews/load.ts'
import { beginReviews } from '../reviews/write.ts'
import { refuseOtherOptions } from '../resume/agree.ts'
import { planResume } from '../resume/resume.ts'
import { findRuns } from '../resume/runs.ts'
import { resumeSettings, resumeTarget } from '../resume/target.ts'
import { turnsLeft } from '../../runner/thread-state.ts'
import { selectThreads, tagsOf } from '../selection.ts'
import { planPart } from '../shard.ts'
import { sitTogether } from '../sit-together.ts'
import type { Sitting } from '../sitting.ts'
import { resolveTargets, type Target } from '../targets.ts'
import { UsageError } from '../usage-error.ts'

/** Returns the exit code. Throws UsageError before anything is sent. */
export const run = async (datasets: readonly string[], typed: RunSettings): Promise<number> =>
  runFor(COMMAND_LINE, datasets, typed)

/** Returns what the end is to the host. Throws UsageError before anything is sent. */
export async function runFor<T>(host: Host<T>, datasets: readonly string[], typed: RunSettings): Promise<T> {
  if (typed.resume !== undefined) return resume(host, datasets, typed.resume, typed)
  refuseTwice(datasets)
  const onlyResumes = (['retryErrors', 'acceptChanges'] as const).find((name) => typed[name] === true)
  if (onlyResumes !== undefined)
    throw new UsageError(
      `--${onlyResumes === 'retryErrors' ? 'retry-errors' : 'accept-changes'} goes with --resume DIR`,
    )
  const config = await host.config(typed.config)
  const settings: RunSettings = { ...config.settings, ...typed }
  if (typed.baseUrl !== undefined && settings.sandbox === true)
    throw new UsageError('--base-url and --sandbox contradict each other; give one')
  const environment = host.environment(settings.envFrom)
  const resolved = settings.sandbox === true ? undefined : resolveTargets(typed, config, environment)
  for (const one of resolved ?? [{ settings }]) quotaFrom(one.settings)
  keepHeapLean(datasets)
  const hide = settings.hashEndUserRefs === true ? { hide: refHider(environment) } : {}
  const set = await openSets(datasets, settings, hide)
  const threads = selectThreads(set.threads, settings)
  for (const warning of set.warnings) say(`Note: ${visible(warning)}`)
  const reviews = await reviewsFor(set.results, settings)
  checkThresholds(settings.threshold ?? [], () => tagsOf(threads))
  refuseLonely(typed, settings.baseline)
  const names = resolved?.map(({ name }) => name) ?? ['sandbox']
  // Beside a baseline, all questions are in memory.
  const asked = settings.baseline === undefined ? [] : Array.from(threads, ({ turns }) => turns).flat()
  await checkBaseline(settings, names, asked)

  const { targets, close } =
    resolved === undefined ? await reachSandbox(host, [settings]) : reachable(resolved)
  const { questions, shard } = planPart(threads, settings.shard)
  const sources = { environment, reviews }
  return ask(host, targets, close, settings, sources, async (limiters, lock) =>
    planSittings({ targets, datasets, set, questions, limiters, out: settings.out, lock, shard }),
  )
}

async function resume<T>(
  host: Host<T>,
  datasets: readonly string[],
  path: string,
  typed: RunSettings,
): Promise<T> {
  const environment = host.environment(typed.envFrom)
  const runs = findRuns(path)
  const loadTest = runs.find(({ manifest }) => manifest.load !== null)
  if (loadTest !== undefined)
    throw new UsageError(
      `${loadTest.folder.path} holds a load test, which cannot be gone on with: start a new one`,
    )
  for (const { manifest } of runs) {
    refuseOtherOptions(typed, manifest)
    refuseLonely(typed, typed.baseline ?? manifest.options.comparison?.baseline)
  }
  const names = runs.map(({ manifest }) => manifest.target.name)
  await checkBaseline(typed, names, undefined)
  const reviews = await loadReviews(typed.reviews)
  const isSandbox = runs.every(({ manifest }) => manifest.target.sandbox)
  const config = await host.config(typed.config)
  const { targets, close } = isSandbox
    ? await reachSandbox(
        host,
        runs.map(({ manifest }) => resumeSettings(manifest, typed)),
      )
    : reachable(runs.map(({ manifest }) => resumeTarget(manifest, typed, config, environment)))
  return ask(host, targets, close, typed, { environment, reviews }, async (limiters, lock) => {
    for (const { folder } of runs) lock(folder.path)
    return planResume({ runs, targets, limiters, datasets, typed, environment, say })
  })
}

/** Asks behind the organizations' limiters until all is done or stopped, and concludes. */
async function ask<T>(
  host: Host<T>,
  targets: readonly Target[],
  close: () => Promise<void>,
  settings: RunSettings,
  {
    environment,
    reviews,
  }: { readonly environment: Environment; readonly reviews: readonly ReviewFile[] | undefined },
  plan: (limiters: Limiters['byOrganization'], lock: (path: string) => void) => Promise<Sitting[]>,
): Promise<T> {
  const locks: (() => void)[] = []
  let limiters: Limiters | undefined
  let signals: ReturnType<typeof host.watchSignals> | undefined
  try {
    limiters = await openLimiters(targets, environment)
    signals = host.watchSignals()
    const sittings = await plan(limiters.byOrganization, (path) => locks.push(lockFolder(path)))
    for (const { folder, isResumed } of sittings)
      if (!isResumed && reviews !== undefined) beginReviews(folder, reviews)
    for (const sitting of sittings) say([announce(sitting), ...forecast(sitting)].join('\n'))
    const loading = host.ending()
    loading.catch(() => undefined)
    const ended = await sitTogether(sittings, settings.debug ?? false, signals, host)
    const conclude = await loading
    return await conclude(ended, settings, reviews)
  } finally {
    signals?.end()
    await limiters?.close()
    for (const unlock of locks) unlock()
    await close()
  }
}

interface Reached {
  readonly targets: readonly Target[]
  readonly close: () => Promise<void>
}

const reachable = (targets: readonly Target[]): Reached => ({ targets, close: async () => undefined })

/** One sandbox, started only when everything else was found in order. */
async function reachSandbox({ sandbox }: Host<unknown>, settings: readonly RunSettings[]): Promise<Reached> {
  const { startSandboxTarget } = await import('../sandbox-target.ts')
  const { target, close } = await startSandboxTarget(sandbox)
  return { targets: settings.map((one) => ({ ...target, settings: one })), close }
}

/** Those that were named, over those that stand in the sets. Undefined where there are none of either. */
async function reviewsFor(
  results: readonly string[],
  { reviews }: RunSettings,
): Promise<readonly ReviewFile[] | undefined> {
  const named = await loadReviews(reviews)
  const inSets = await reviewsOfSets(results)
  return named === undefined && inSets.length === 0 ? undefined : [...inSets, ...(named ?? [])]
}

function announce({ target, turns, threads, isResumed, manifest: { shard } }: Sitting): string {
  const whom = `${shard === undefined ? '' : `${describePart(shard)}, `}${describeTarget(target)}`
  let left = 0
  for (const thread of threads) left += turnsLeft(thread)
  return isResumed
    ? `Going on: ${left} of ${plural(turns.length, 'turn')} left to ask: ${whom}`
    : `Asking ${plural(left, 'turn')} in ${plural(threads.length, 'thread')}: ${whom}`
}

function describeTarget({ name, address, key, sandbox }: Target): string {
  if (sandbox) return `the sandbox at ${address.baseUrl}`
  return `${visible(name)}, ${address.baseUrl}, key ${key.fingerprint}`
}
