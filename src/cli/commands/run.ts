// `run`: ask every question of the sets, record, summarise, judge; or go on with a run that stopped.
import { join } from 'node:path'
import type { ReviewFile } from '../../analysis/reviews/merge.ts'
import type { Question, Thread } from '../../domain/question.ts'
import { visible } from '../../report/visible.ts'
import { ask, closeAll, type AskedRun, type Open } from '../asking.ts'
import { checkBaseline, noteMissingBaseline, refuseLonely, withBaselineThere } from '../comparing/baseline.ts'
import { checkThresholds } from '../gates.ts'
import type { Config } from '../config.ts'
import { inWordsOf } from '../config-words.ts'
import { hashEndUserRefs } from '../end-user-refs.ts'
import { COMMAND_LINE, type Host } from '../host.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { say } from '../output.ts'
import { planSittings } from '../plan.ts'
import { planQuestions, type PlannedQuestions } from '../planned-questions.ts'
import { quotaFrom } from '../quota.ts'
import { loadQuestionSets, refuseTwice } from '../question-sets.ts'
import { loadReviews, reviewsOfSets } from '../reviews/load.ts'
import { refuseOtherOptions } from '../resume/agree.ts'
import { planResume } from '../resume/resume.ts'
import { findRuns, type RecordedRun } from '../resume/runs.ts'
import { resumeSettings, resumeTarget } from '../resume/target.ts'
import type { SandboxArticles } from '../sandbox-target.ts'
import { selectThreads, tagsOf } from '../selection.ts'
import { planPart, type WholeSet } from '../shard.ts'
import { watchBeginning } from '../signals.ts'
import { giveWayToTyped, resolveTargets, type Target } from '../targets.ts'
import { UsageError } from '../../library/usage-error.ts'

/** Returns the exit code. Throws UsageError before anything is sent. */
export async function run(datasets: readonly string[], typed: RunSettings): Promise<number> {
  watchBeginning()
  return runFor(COMMAND_LINE, datasets, typed)
}

/** Returns what the end is to the host. Throws UsageError before anything is sent. */
export async function runFor<T>(host: Host<T>, datasets: readonly string[], typed: RunSettings): Promise<T> {
  const open: Open = { locks: [] }
  try {
    const { ended, settings, reviews, conclude } = await (typed.resume === undefined
      ? begin(host, datasets, typed, open)
      : resume(host, datasets, typed.resume, typed, open))
    // All that was planned and asked with is let go here: of a million turns, the reports need its room.
    return await conclude(ended, settings, reviews)
  } finally {
    await closeAll(open)
  }
}

async function begin<T>(
  host: Host<T>,
  datasets: readonly string[],
  typed: RunSettings,
  open: Open,
): Promise<AskedRun<T>> {
  if (typed.retryErrors === true) throw new UsageError('--retry-errors goes with --resume DIR')
  const config = giveWayToTyped(typed, await host.config(typed.config))
  const baseline = typed.baseline ?? config.settings.baseline
  noteMissingBaseline(baseline)
  const there = { ...config, settings: withBaselineThere(config.settings, baseline) }
  return inWordsOf(config, typed, async () =>
    beginWith(there, host, datasets, withBaselineThere(typed, baseline), open),
  )
}

async function beginWith<T>(
  config: Config,
  host: Host<T>,
  datasets: readonly string[],
  typed: RunSettings,
  open: Open,
): Promise<AskedRun<T>> {
  refuseTwice(datasets)
  const settings: RunSettings = { ...config.settings, ...typed }
  const environment = host.environment()
  const resolved = settings.sandbox === true ? undefined : resolveTargets(typed, config, environment)
  for (const one of resolved ?? [{ settings }]) quotaFrom(one.settings)
  const set = await loadQuestionSets(datasets, settings)
  const given = settings.hashEndUserRefs === true ? hashEndUserRefs(set.threads, environment) : set.threads
  const threads = selectThreads(given, settings)
  for (const warning of set.warnings) say(`Note: ${visible(warning)}`)
  const reviews = await reviewsFor(set.results, settings)
  checkThresholds(settings.threshold ?? [], () => tagsOf(threads))
  refuseLonely(typed, settings.baseline)
  const names = resolved?.map(({ name }) => name) ?? ['sandbox']
  const { questions, shard } = planPart(threads, settings.shard)
  const asked = settings.baseline === undefined ? undefined : wholeOf(threads, questions, shard)
  await checkBaseline(settings, names, asked)

  const targets = resolved ?? (await reachSandbox(host, [settings], open, { kb: settings.kb }))
  const sources = { environment, reviews }
  return ask(host, targets, settings, sources, open, async (limiters, lock) =>
    planSittings({
      targets,
      datasets,
      set,
      questions,
      limiters,
      environment,
      out: settings.out,
      lock,
      shard,
    }),
  )
}

/** A baseline is held against all questions, whichever part of them is asked. */
function wholeOf(
  threads: readonly Thread[],
  part: PlannedQuestions,
  shard: WholeSet | undefined,
): readonly Question[] {
  const { turns } = shard === undefined ? part : planQuestions(threads)
  return turns.map(({ question }) => question)
}

async function resume<T>(
  host: Host<T>,
  datasets: readonly string[],
  path: string,
  said: RunSettings,
  open: Open,
): Promise<AskedRun<T>> {
  noteMissingBaseline(said.baseline)
  const typed = withBaselineThere(said)
  const environment = host.environment()
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
  const targets = isSandbox
    ? await reachSandbox(
        host,
        runs.map(({ manifest }) => resumeSettings(manifest, typed)),
        open,
        articlesOf(runs),
      )
    : runs.map(({ manifest }) => resumeTarget(manifest, typed, config, environment))
  return ask(host, targets, typed, { environment, reviews }, open, async (limiters, lock) => {
    for (const { folder } of runs) lock(folder.path)
    return planResume({ runs, targets, limiters, datasets, typed, environment, say })
  })
}

/** All runs of one `--resume` had one sandbox. */
function articlesOf([first]: readonly RecordedRun[]): SandboxArticles {
  const source = first?.manifest.target.knowledgeBase
  return first === undefined || source === undefined
    ? { kb: undefined }
    : { before: join(first.folder.path, source) }
}

/** One sandbox, started only when everything else was found in order. */
async function reachSandbox(
  { sandbox }: Host<unknown>,
  settings: readonly RunSettings[],
  open: Open,
  articles: SandboxArticles,
): Promise<readonly Target[]> {
  const { startSandboxTarget } = await import('../sandbox-target.ts')
  const { target, close } = await startSandboxTarget(articles, sandbox)
  open.close = close
  return settings.map((one) => ({ ...target, settings: one }))
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
