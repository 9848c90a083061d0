// Writes the reviews of a run folder, and keeps what a person broke in it.
import { basename } from 'node:path'
import { mergeReviews, type ReviewFile } from '../../analysis/reviews/merge.ts'
import type { Review } from '../../domain/review.ts'
import { StorageError } from '../../domain/storage-error.ts'
import { renderReviewsCsv } from '../../report/reviews-csv.ts'
import { visible } from '../../report/visible.ts'
import { writeWhole } from '../files.ts'
import type { RunFolder } from '../run-folder.ts'
import type { BrokenFile } from './folder-reviews.ts'
import { keepAside } from './keep-aside.ts'

export function writeReviews(folder: RunFolder, reviews: readonly Review[]): void {
  writeWhole(folder.reviews, renderReviewsCsv(reviews))
}

/** Into the folder of a new run, before its first call: a process that is killed has not lost them. */
export function beginReviews(folder: RunFolder, files: readonly ReviewFile[]): void {
  const { log } = mergeReviews({ log: [], files, results: [] })
  try {
    writeReviews(folder, log)
  } catch (error) {
    // A full disk stops the run where its manifest cannot be written, with its reason.
    if (!(error instanceof StorageError)) throw error
  }
}

/** Returns what to tell the person who edited them. */
export function keepBroken(files: readonly BrokenFile[]): string[] {
  return files.map(({ path, fault }) => {
    const copy = keepAside(path)
    return (
      `${basename(path)} could not be read whole (${fault}): what could be read was merged, and the file is kept as ` +
      `${visible(copy)}; mend that one and bring it back with --reviews`
    )
  })
}
