// A run's baseline: checked before the first call, compared at the end; the rules of the comparison are gates
// of the run.
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { overlapOf, pairRuns } from '../analysis/comparison/pair.ts'
import { outcomesOf, withBaselineGates, withoutKnown } from '../analysis/gates/judge.ts'
import { recordedOptions } from '../options/manifest.ts'
import { percent, WRITTEN } from '../domain/format.ts'
import { baselineWaits } from '../analysis/messages.ts'
import type { Question } from '../domain/question.ts'
import type { Review } from '../domain/review.ts'
import type { Summary } from '../domain/summary.ts'
import type { GateDecision } from '../report/standing.ts'
import { recordedArticles } from './articles.ts'
import {
  type CandidateArticles,
  compareRecorded,
  comparisonFiles,
  openCompared,
  withEdits,
} from './compared-runs.ts'
import { baselineFolder } from '../store/recorded-options.ts'
import type { RunSettings } from '../options/settings.ts'
import type { ReadPorts, RecordedRun } from './recorded-run.ts'
import { reviewsIn } from './reviews.ts'
import type { MergedReviews } from '../analysis/reviews/book.ts'
import { UsageError } from '../options/faults.ts'
import { isComparison } from '../store/folder.ts'

/**
 * Throws UsageError, before anything is sent, if the baseline shares too few of these questions: the gate
 * would fail whatever the answers are. `questions`: undefined to check the baseline alone.
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

/**
 * Compares a finished run with its baseline. A shard, or a run that is not complete, is not judged by it: its
 * failures that the baseline has are known all the same. A baseline that is gone fails a finished run. Of the
 * result, `baseline` is for the run's document, `judged` for JUnit and annotations, and `rows` for the page.
 * `files` are to be written.
 */
export async function judgeWithBaseline(
  run: RecordedRun,
  summary: Summary,
  reviews: MergedReviews | undefined,
  articles: CandidateArticles | undefined,
  reading: ReadPorts,
) {
  const { folder, manifest, model } = run
  const { baseline, passPolicy } = manifest.options
  const alone = (own: Summary, before?: GateDecision['before']) => ({
    summary: own,
    comparison: null,
    baseline: undefined,
    judged: { isGreen: own.exitCode === 0, ...(before && { before }) },
    rows: [],
    files: [],
  })
  if (baseline === null) return alone(summary)
  const isShard = manifest.shard !== undefined
  const isPart = isShard || summary.verdict === 'incomplete' || summary.state === 'decided'
  const waits = isPart && !isShard ? [baselineWaits()] : []
  const waiting = { ...summary, warnings: [...summary.warnings, ...waits] }
  const path = join(folder.path, baseline)
  const found = await compareWithBaseline(run, reviews, reading)
  if (found?.kind !== 'compared') {
    if (isPart) return alone(waiting)
    const reason = `the run cannot be compared with its baseline: ${found?.reason}`
    return alone(
      withBaselineGates(summary, model.stop, { baseline: basename(path), verdict: 'failed', reason }),
    )
  }
  const { accepted, compared } = found
  const { rows } = compared
  const before = articles && (await recordedArticles(accepted))
  const comparison = await withEdits(compared, before, articles)
  const { verdict, reason } = comparison
  const [candidate] = comparison.candidates
  const name = comparison.runs[0].label
  const result = { baseline: name, verdict, reason }
  const outcomes = outcomesOf(rows, passPolicy)
  const known = { baseline: name, byId: outcomes.before }
  if (isPart) return alone({ ...waiting, gates: withoutKnown(waiting.gates, outcomes) }, known)
  const whole = withBaselineGates(summary, model.stop, result, {
    rules: candidate.gates,
    edited: candidate.overlap.edited,
    ...outcomes,
  })
  return {
    summary: whole,
    comparison,
    baseline: { summary: compared.baseline, candidate: compared.candidate, name, compared: candidate },
    judged: { isGreen: whole.exitCode === 0, before: known },
    rows,
    files: comparisonFiles(folder.path, { ...compared, comparison }).files,
  }
}

/** By the rules that the run was given. Undefined without a baseline. */
export async function compareWithBaseline(
  run: RecordedRun,
  reviews: MergedReviews | undefined,
  reading: ReadPorts,
) {
  const { baseline, failOn, alpha, margin, minOverlap, groundedSources } = run.manifest.options
  if (baseline === null) return undefined
  const accepted = await openCompared(join(run.folder.path, baseline), reading).catch((error: unknown) => {
    if (error instanceof UsageError) return error
    throw error
  })
  if (accepted instanceof UsageError) return { kind: 'unreadable', reason: accepted.message } as const
  const rules = { alpha, margin, minOverlap, groundedSources }
  const compared = compareRecorded(accepted, run, failOn === null ? rules : { ...rules, failOn }, {
    reviewOf: reviews?.book.reviewFor,
    hasOwnGates: true,
  })
  return { kind: 'compared', accepted, compared } as const
}

export async function reviewsOfBaseline({ folder, manifest }: RecordedRun): Promise<readonly Review[]> {
  const { baseline } = manifest.options
  return baseline === null ? [] : reviewsIn(join(folder.path, baseline))
}

export function removeComparison({ path }: RecordedRun['folder']): void {
  if (!isComparison(path)) return
  for (const name of ['comparison.csv', 'comparison.json', 'comparison.md'])
    rmSync(join(path, name), { force: true })
}
