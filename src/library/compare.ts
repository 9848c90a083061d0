// `compare` for programs: the same comparison as the command's, as a value.
import { resolve } from 'node:path'
import { checkFolder, checkPaths } from '../cli/comparing/check-paths.ts'
import { comparisonFolder } from '../cli/comparing/comparison-folder.ts'
import { openReviews } from '../cli/comparing/gather-reviews.ts'
import { refuseFoldersOfRuns } from '../cli/runs-within.ts'
import { writeComparison } from '../cli/comparing/write-comparison.ts'
import type { Comparison } from '../domain/comparison/comparison.ts'
import { checkCompare } from './arguments.ts'
import { callOwn } from './own-words.ts'
import { readOptions, type RunSettingsWritten } from './options.ts'

const TAKEN = [
  ...(['fail-on', 'alpha', 'margin', 'min-overlap', 'history'] as const),
  ...(['quota', 'grounded-sources', 'reviews', 'seed', 'out', 'excel'] as const),
]

type Taken =
  | ('failOn' | 'alpha' | 'margin' | 'minOverlap' | 'history')
  | ('quota' | 'groundedSources' | 'reviews' | 'seed' | 'out' | 'excel')

export interface CompareOptions extends Pick<RunSettingsWritten, Taken> {
  /** Folder of the accepted run, or another tool's export of results. */
  readonly baseline: string
  /** Folders of the runs judged against it, in their order: one to seven. */
  readonly candidates: readonly string[]
}

export interface CompareResult {
  readonly verdict: 'passed' | 'failed'
  /** What the program would have ended with: 0 passed, 1 something got worse. */
  readonly exitCode: number
  /** Why, in a sentence. */
  readonly reason: string
  /** Absolute; holds `comparison.json`, `comparison.csv`, `comparison.md` and `report.html`. */
  readonly folder: string
  /** What `comparison.json` holds. */
  readonly comparison: Comparison
  readonly notes: readonly string[]
}

/** Compares recorded runs and writes the comparison's folder. Rejects with UsageError where there is nothing to compare. */
export async function compare(options: CompareOptions): Promise<CompareResult> {
  checkCompare(options)
  const { baseline, candidates, ...written } = options
  const notes: string[] = []
  return callOwn(
    (text) => void notes.push(text),
    async () => {
      const settings = readOptions(written, TAKEN)
      const paths = [baseline, ...candidates]
      checkPaths(paths)
      refuseFoldersOfRuns(paths)
      const folder = settings.out ?? comparisonFolder(paths, new Date())
      checkFolder(folder)
      const reviews = await openReviews(folder, settings.reviews)
      const { gather: reviewsOf, keep: begin } = reviews
      const excel = settings.excel ?? false
      const { comparison } = await writeComparison(folder, { paths, settings, reviewsOf, begin, excel })
      const { verdict, exitCode, reason } = comparison
      return {
        verdict,
        exitCode,
        reason,
        folder: resolve(folder),
        comparison,
        notes: [...notes, ...reviews.notes],
      }
    },
  )
}
