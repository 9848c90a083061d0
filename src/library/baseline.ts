// A run's baseline: checked before the first call, opened at the end.
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { overlapOf, pairRuns } from '../analysis/comparison/pair.ts'
import type { Baseline } from '../analysis/judged-run.ts'
import { recordedOptions } from '../options/manifest.ts'
import { percent, WRITTEN } from '../domain/format.ts'
import type { Question } from '../domain/question.ts'
import type { Review } from '../domain/review.ts'
import { recordedArticles } from './articles.ts'
import { openCompared } from './compared-runs.ts'
import { baselineFolder } from '../store/recorded-options.ts'
import type { RunSettings } from '../options/settings.ts'
import { baselinePath, openReadable, type ReadPorts, type RecordedRun } from './recorded-run.ts'
import { reviewsIn } from './reviews.ts'
import { UsageError } from '../options/faults.ts'
import { isComparison } from '../store/folder.ts'

/**
 * Throws UsageError, before anything is sent, if the baseline shares too few questions: the gate would fail
 * whatever the answers are. Without `questions` it checks the baseline alone.
 */
export async function checkBaseline(
  settings: RunSettings & { readonly baseline: string },
  targets: readonly string[],
  questions: readonly (Question | undefined)[] | undefined,
  reading: ReadPorts,
): Promise<void> {
  const options = recordedOptions.parse(settings)
  const { minOverlap } = options
  for (const path of new Set(targets.map((target) => baselineFolder(settings.baseline, target)))) {
    const run = await openCompared(path, reading)
    // Finds a table that cannot be read before the first call.
    await reviewsIn(path)
    if (questions === undefined) continue
    const { pairs } = pairRuns(run, { manifest: { options }, model: { questions } })
    const { shared, share, baseline } = overlapOf(pairs)
    if (shared === 0 || (share ?? 0) < minOverlap)
      throw new UsageError(
        `--baseline ${path} has ${shared} of these ${questions.length} questions, and ` +
          `${baseline - shared} others: too few shared questions to compare ` +
          `(${percent(share)}, --min-overlap ${WRITTEN.share(minOverlap)}); ` +
          'name a run of the same questions, lower --min-overlap, or leave --baseline out',
      )
  }
}

/** `close` closes its journals. Undefined without a baseline. */
export async function openBaseline(
  candidate: RecordedRun,
  reading: ReadPorts,
): Promise<(Baseline & { close: () => void }) | undefined> {
  const path = baselinePath(candidate)
  if (path === undefined) return undefined
  try {
    const recorded = await openCompared(path, reading)
    const run = openReadable(recorded)
    return { kind: 'readable', run, articles: await recordedArticles(recorded), close: run.close }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { kind: 'unreadable', name: basename(path), reason: error.message, close: () => undefined }
  }
}

export async function reviewsOfBaseline(run: RecordedRun): Promise<readonly Review[]> {
  const path = baselinePath(run)
  return path === undefined ? [] : reviewsIn(path)
}

export function removeComparison({ path }: RecordedRun['folder']): void {
  if (!isComparison(path)) return
  for (const name of ['comparison.csv', 'comparison.json', 'comparison.md'])
    rmSync(join(path, name), { force: true })
}
