// Compares recorded runs: opens them, grades them alike, and reviews each candidate against the baseline.
import {
  concludeComparison,
  type CandidateReview,
  type ConcludedComparison,
} from '../../analysis/comparison/compare.ts'
import { comparisonRows, type ReviewOf } from '../../analysis/comparison/compare-rows.ts'
import { createChangesGatherer } from '../../analysis/comparison/gather-changes.ts'
import { reviewQuota } from '../../analysis/comparison/quota-review.ts'
import { reviewRuns } from '../../analysis/comparison/review-runs.ts'
import { settingDifferences } from '../../analysis/comparison/settings.ts'
import { trendOf } from '../../analysis/comparison/trend.ts'
import type { ComparisonRow } from '../../domain/comparison/change.ts'
import type { ComparedRunFacts } from '../../domain/comparison/comparison.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { Question } from '../../domain/question.ts'
import { openRun, type ComparedRun, type ReadRun } from './compared-run.ts'
import { describeTurned, turnedBefore } from './history.ts'
import { quotaFrom } from '../quota.ts'
import { factsOf } from './run-facts.ts'
import { seen } from './seen.ts'
import { gradeAlike } from './one-grader.ts'
import { comparisonOptions, type ComparisonSettings } from './options.ts'
import { VERSION } from '../version.ts'

export interface CompareJob {
  /** Run folders, baseline first. Two at least. */
  readonly paths: readonly string[]
  readonly settings: ComparisonSettings & { readonly groundedSources?: readonly string[] | undefined }
  /** Of the runs to be compared, in the order of `paths`: what people think of their answers. */
  readonly reviewsOf: (runs: readonly ComparedRun[]) => Promise<ReviewOf>
  /** What is expected now, where that is not what the last run has recorded. */
  readonly expectations?: readonly (Question | undefined)[]
  /** Takes each candidate's rows, all of them, as they come; `run`: its place in `runs`, from 1. Waited for. */
  /** `manifest`: the candidate's. */
  readonly write: (
    rows: Iterable<ComparisonRow>,
    runs: readonly ComparedRunFacts[],
    run: number,
    manifest: Manifest | undefined,
  ) => unknown
}

/** Throws UsageError where a path holds nothing to compare. */
export async function compareRuns({
  paths,
  settings,
  reviewsOf,
  expectations,
  write,
}: CompareJob): Promise<ConcludedComparison> {
  const opened: ComparedRun[] = []
  try {
    for (const path of paths) opened.push(await openRun(path))
    const newest = opened.at(-1)
    if (newest === undefined || opened.length < 2) throw new Error('two runs at least')
    // Before the first file is written.
    for (const { manifest } of opened.slice(1)) quotaFrom(settings, manifest?.options.quota)
    const reviewOf = await reviewsOf(opened)
    const groundedSources = settings.groundedSources ?? newest.manifest?.options.groundedSources ?? []
    const options = comparisonOptions(settings, groundedSources)
    const turned = await turnedBefore(options.history, opened, newest, groundedSources)

    const read = async (run: ComparedRun): Promise<Graded> => {
      const alike = gradeAlike(run.questions, expectations ?? newest.questions)
      const { questions, edited } = alike
      return { run, edited, ...(await run.read(questions, groundedSources)) }
    }
    const [baseline, ...candidates] = await inOrder(opened, read)
    if (baseline === undefined) throw new Error('no baseline')
    const facts = factsOf([baseline, ...candidates])
    const reviewed = await inOrder(candidates, async (candidate, place): Promise<CandidateReview> => {
      const review = reviewRuns(baseline.turns, candidate.turns, options)
      const gatherer = createChangesGatherer()
      const rows = comparisonRows(review, { baseline: baseline.told, candidate: candidate.told }, reviewOf)
      await write(seen(rows, gatherer.add), facts, place + 1, candidate.run.manifest)
      return {
        run: place + 1,
        review,
        gathered: gatherer.finish(),
        settings: settingsOf(baseline, candidate),
        quota: quotaOf(baseline, candidate, settings),
        expectationsEdited: baseline.edited,
        failing: { baseline: baseline.failingMustPass, candidate: candidate.failingMustPass },
      }
    })
    const changed = reviewed.flatMap(({ review }) => [...review.grounding.lost, ...review.grounding.gained])
    const conclusion = concludeComparison({
      harnessVersion: VERSION,
      runs: facts,
      options,
      candidates: reviewed,
      trend: candidates.length > 1 ? trendOf([baseline, ...candidates]) : [],
      notes: [...notesOf([baseline, ...candidates], facts), ...describeTurned(changed, turned)],
    })
    return conclusion
  } finally {
    for (const run of opened) run.close()
  }
}

/** One after the other. */
async function inOrder<T, R>(items: readonly T[], act: (item: T, place: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const [place, item] of items.entries()) results.push(await act(item, place))
  return results
}

interface Graded extends ReadRun {
  readonly run: ComparedRun
  readonly edited: number
}

function settingsOf({ run: before }: Graded, { run: after }: Graded): CandidateReview['settings'] {
  const [baseline, candidate] = [before.manifest, after.manifest]
  return baseline === undefined || candidate === undefined ? [] : settingDifferences(baseline, candidate)
}

function quotaOf(before: Graded, after: Graded, settings: ComparisonSettings): CandidateReview['quota'] {
  const [baseline, candidate] = [before.summary, after.summary]
  if (baseline === undefined || candidate === undefined) return null
  return reviewQuota(baseline, candidate, quotaFrom(settings, candidate.run.quota))
}

const notesOf = (runs: readonly Graded[], facts: readonly ComparedRunFacts[]): string[] =>
  runs.flatMap(({ notes }, place) => notes.map((note) => `${facts[place]?.label}: ${note}`))
