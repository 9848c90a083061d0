// Judging: thresholds, a baseline, reviews. Read and checked before anything is sent or written.
import { existsSync } from 'node:fs'
import { parseThreshold } from '../analysis/gates/threshold.ts'
import { parseLoadThreshold } from '../analysis/load/judge.ts'
import type { Review } from '../domain/review.ts'
import type { Question } from '../domain/question.ts'
import { requireBaseline, type RunSettings } from '../options/settings.ts'
import { openArticles } from './articles.ts'
import type { Job } from './job.ts'
import { baselinePath, type RecordedRun } from './recorded-run.ts'
import { embeddingsNote, readEmbeddings } from './embeddings.ts'
import { readTaught } from './taught.ts'
import { didYouMean, optionError } from '../options/faults.ts'

interface JudgedRuns {
  readonly targets: readonly string[]
  /** Undefined for a shard: only the whole run knows all tags. */
  readonly questions: readonly (Question | undefined)[] | undefined
  readonly articles?: readonly string[]
  /** Its options hold unless they are given again. */
  readonly recorded?: RecordedRun
}

/**
 * Returns the reviews of `--reviews` files. A baseline folder that does not exist yet, as in a first run, is
 * a note, and nothing is compared.
 */
export async function readJudging(
  settings: RunSettings,
  { targets, questions, recorded, articles = [settings.articles ?? []].flat() }: JudgedRuns,
  reading: Pick<Job, 'note' | 'ports'>,
): Promise<readonly Review[]> {
  const { note } = reading
  const options = recorded?.manifest.options
  const recordedBaseline = recorded && baselinePath(recorded)
  const { baseline, threshold = options?.threshold ?? [] } = settings
  if (recorded !== undefined) requireBaseline(settings, recordedBaseline)
  for (const path of new Set(articles)) await openArticles(path, settings, note)
  await readTaught(settings)
  const vectors = readEmbeddings({ ...options, ...settings }, '', reading.ports)
  if (vectors !== undefined) note(embeddingsNote(vectors))
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
  else if (accepted !== undefined) {
    // Loaded late: most runs have none.
    const { checkBaseline } = await import('./baseline.ts')
    await checkBaseline(
      { ...settings, baseline: accepted },
      targets,
      recorded === undefined ? questions : undefined,
      reading,
    )
  }
  if (settings.reviews === undefined) return []
  const { loadReviews } = await import('./reviews.ts')
  return loadReviews(settings.reviews, note)
}

/** Says why there is no comparison yet; empty with a baseline that exists, or without one. */
export const missingBaseline = (baseline: string | undefined): string[] =>
  baseline === undefined || existsSync(baseline)
    ? []
    : [`--baseline ${baseline} does not exist yet; nothing is compared`]

/**
 * Throws UsageError for a threshold that cannot be read (the run may come from another version) and for one
 * on a tag that no question has.
 */
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
