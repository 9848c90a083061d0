// What a run is judged by. All of it is checked before anything is sent or written.
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseThreshold } from '../analysis/judging/threshold.ts'
import type { Baseline } from '../analysis/comparing/judged-run.ts'
import { parseLoadThreshold } from '../analysis/load/judge.ts'
import { percent, WRITTEN } from '../domain/format.ts'
import type { Question } from '../domain/question.ts'
import type { Review } from '../domain/review.ts'
import { didYouMean, optionError, UsageError } from '../options/faults.ts'
import { recordedOptions } from '../options/manifest.ts'
import { requireBaseline, type RunSettings } from '../options/settings.ts'
import { baselineFolder } from '../store/manifest.ts'
import { openArticles, readTaught, recordedArticles } from './articles.ts'
import { readEmbeddings } from './embeddings.ts'
import { openRun, type Reading, type RecordedRun } from './recorded-run.ts'

interface JudgedRuns {
  readonly targets: readonly string[]
  /** Is undefined for a shard: only the whole run knows all tags. */
  readonly questions: readonly (Question | undefined)[] | undefined
  readonly articles?: readonly string[]
  /** Provides options that hold unless they are given again. */
  readonly recorded?: RecordedRun
}

/** Returns the reviews of `--reviews` files. A baseline that does not exist yet, as at first, is a note. */
export async function readJudging(
  settings: RunSettings,
  { targets, questions, recorded, articles = [settings.articles ?? []].flat() }: JudgedRuns,
  reading: Reading & { readonly note: (text: string) => void },
): Promise<readonly Review[]> {
  const { note, ports } = reading
  const options = recorded?.manifest.options
  const recordedBaseline = recorded && baselinePath(recorded)
  const { baseline, threshold = options?.threshold ?? [], synonyms, decisions } = settings
  if (recorded !== undefined) requireBaseline(settings, recordedBaseline)
  for (const path of new Set(articles)) await openArticles(path, settings, note)
  await readTaught({ synonyms, decisions })
  readEmbeddings({ ...options, ...settings }, ports, note)
  checkThresholds(threshold, questions && new Set(questions.flatMap((question) => question?.tags ?? [])))
  const isRequired = settings.requireBaseline === true
  const accepted = baseline ?? (isRequired ? recordedBaseline : undefined)
  if (isRequired && accepted === undefined) throw optionError('requireBaseline', 'needs --baseline DIR')
  const [missing] = missingBaseline(accepted)
  if (missing !== undefined && isRequired)
    throw optionError(
      'baseline',
      `${accepted} does not exist, but is required; accept a run first, with --require-baseline=false`,
    )
  if (missing !== undefined) note(missing)
  else if (accepted !== undefined)
    for (const path of new Set(targets.map((target) => baselineFolder(accepted, target))))
      await checkBaseline(path, settings, recorded === undefined ? questions : undefined, reading)
  if (settings.reviews === undefined) return []
  const { loadReviews } = await import('./reviews.ts')
  return loadReviews(settings.reviews, note)
}

/** Says why there is no comparison yet; empty with a baseline that exists, or without one. */
export const missingBaseline = (baseline: string | undefined): string[] =>
  baseline === undefined || existsSync(baseline)
    ? []
    : [`--baseline ${baseline} does not exist yet; nothing is compared`]

/** Throws UsageError if the baseline shares too few questions: the gate would fail whatever is answered. */
async function checkBaseline(
  path: string,
  settings: RunSettings,
  questions: readonly (Question | undefined)[] | undefined,
  reading: Reading,
): Promise<void> {
  const run = await openCompared(path, reading)
  const { reviewsIn } = await import('./reviews.ts')
  // A table that cannot be read is found before the first call.
  await reviewsIn(path)
  if (questions === undefined) return
  const { overlapOf, pairRuns } = await import('../analysis/comparing/pair.ts')
  const options = recordedOptions.parse(settings)
  const { pairs } = pairRuns(run, { manifest: { options }, model: { questions } })
  const { shared, share, baseline } = overlapOf(pairs)
  if (shared === 0 || (share ?? 0) < options.minOverlap)
    throw new UsageError(
      `the baseline ${path} has ${shared} of these ${questions.length} questions, and ` +
        `${baseline - shared} others: too few shared questions to compare ` +
        `(${percent(share)}; --min-overlap ${WRITTEN.share(options.minOverlap)}). ` +
        'Name a run of the same questions, lower --min-overlap, or leave --baseline out.',
    )
}

export const openCompared = async (path: string, reading: Reading): Promise<RecordedRun> =>
  openRun(path, 'it cannot be compared with a run', reading)

export function baselinePath({ path, manifest }: RecordedRun): string | undefined {
  const { baseline } = manifest.options
  return baseline === null ? undefined : join(path, baseline)
}

/** Opens the baseline, if there is one; `close` closes its journals. */
export async function openBaseline(
  candidate: RecordedRun,
  reading: Reading,
): Promise<(Baseline & { close: () => void }) | undefined> {
  const path = baselinePath(candidate)
  if (path === undefined) return undefined
  try {
    const run = await openCompared(path, reading)
    return { kind: 'readable', run, articles: await recordedArticles(run.folder), close: run.close }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { kind: 'unreadable', name: basename(path), reason: error.message, close: () => undefined }
  }
}

/** Throws UsageError for a threshold that cannot be read, and for one on a tag that no question has. */
export function checkThresholds(
  expressions: readonly string[],
  tags: ReadonlySet<string> | 'load' | undefined,
): void {
  for (const expression of expressions) {
    const parsed = tags === 'load' ? parseLoadThreshold(expression) : parseThreshold(expression)
    if (parsed.kind === 'fault') {
      const { reason, unknown } = parsed
      const hint = unknown === undefined ? '' : didYouMean(unknown.word, unknown.known)
      throw optionError('threshold', `'${expression}' ${reason}${hint}`)
    }
    const { tag } = parsed.threshold
    if (tag !== undefined && typeof tags === 'object' && !tags.has(tag))
      throw optionError(
        'threshold',
        `'${expression}': no question has the tag '${tag}'${didYouMean(tag, [...tags])}`,
      )
  }
}
