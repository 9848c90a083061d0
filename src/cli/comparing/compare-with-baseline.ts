// The end of a run with a baseline: the comparison is written into the run's folder and decides with the other gates.
import { basename } from 'node:path'
import type { ReviewOf } from '../../analysis/comparison/compare-rows.ts'
import type { BaselineResult } from '../../domain/comparison/rules.ts'
import type { ComparisonRow } from '../../domain/comparison/change.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { RunFolder } from '../run-folder.ts'
import { UsageError } from '../usage-error.ts'
import { recordedBaseline } from './baseline.ts'
import { writeComparison, type WrittenComparison } from './write-comparison.ts'
import type { CompareJob } from './compare-runs.ts'

export interface BaselineComparison {
  readonly result: BaselineResult
  /** Undefined where the baseline could not be read. */
  readonly written: WrittenComparison | undefined
}

/** Undefined where there is no baseline. A baseline that is gone cannot be judged by, and so fails. */
export async function compareWithBaseline(
  folder: RunFolder,
  { options }: Manifest,
  {
    reviewOf,
    ...more
  }: Pick<CompareJob, 'expectations'> & {
    readonly excel: boolean
    readonly reviewOf: ReviewOf
    readonly see: (row: ComparisonRow) => void
  },
): Promise<BaselineComparison | undefined> {
  if (options.comparison === null) return undefined
  const { path, settings } = recordedBaseline(folder.path, options.comparison)
  const { groundedSources, selection } = options
  try {
    const written = await writeComparison(folder.path, {
      paths: [path, folder.path],
      settings: { ...settings, seed: selection.seed, groundedSources },
      // The run's own: the baseline's were brought to it with --reviews, or nobody wanted them.
      reviewsOf: async () => reviewOf,
      ...more,
    })
    const { verdict, reason, runs } = written.comparison
    return { result: { baseline: runs[0]?.label ?? path, verdict, reason }, written }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const reason = `the run could not be compared with its baseline: ${error.message}`
    return { result: { baseline: basename(path), verdict: 'failed', reason }, written: undefined }
  }
}
