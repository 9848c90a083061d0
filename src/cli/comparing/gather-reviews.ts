// The reviews that `compare` shows and keeps: of the compared runs, of files that were named, and of its own folder.
import type { ReviewOf } from '../../analysis/comparison/compare-rows.ts'
import { mergeReviews } from '../../analysis/reviews/merge.ts'
import { visible } from '../../report/visible.ts'
import { loadReviews } from '../reviews/load.ts'
import { keepBroken, writeReviews } from '../reviews/write.ts'
import { runFolder } from '../run-folder.ts'
import type { ComparedRun } from './compared-run.ts'
import { keepForeign, readOwnReviews } from './own-reviews.ts'
import { readRunReviews } from './run-reviews.ts'

export interface ComparisonReviews {
  /** Reads, and writes nothing. Undefined where no review is known. */
  gather(this: void, runs: readonly ComparedRun[]): Promise<ReviewOf>
  /** Writes what was gathered into the comparison's folder, and keeps what a person broke there. Throws StorageError. */
  keep(this: void): void
  /** What a reader should know, once they are gathered and kept. */
  readonly notes: readonly string[]
}

/** `folder`: where the comparison will be written. Throws UsageError with every fault of the files named. */
export async function openReviews(
  folder: string,
  paths: readonly string[] | undefined,
): Promise<ComparisonReviews> {
  const files = await loadReviews(paths, 'written')
  const notes: string[] = []
  let keep = (): void => undefined
  return {
    gather: async (runs) => {
      const ofRuns = await readRunReviews(runs)
      const own = await readOwnReviews(folder)
      const { book, log, ...merged } = mergeReviews({
        log: own.log,
        files: [ofRuns.file, ...own.earlier, ...(files ?? [])],
        results: own.edited,
        table: 'comparison.csv',
      })
      notes.push(...[...ofRuns.notes, ...merged.notes].map(visible))
      const isEmpty = files === undefined && log.length === 0
      keep = () => {
        notes.push(...keepBroken(own.broken))
        if (isEmpty) return
        notes.push(...keepForeign(folder))
        writeReviews(runFolder(folder), log)
      }
      return isEmpty ? undefined : book.reviewFor
    },
    keep: () => keep(),
    notes,
  }
}
