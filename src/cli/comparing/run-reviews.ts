// What people said in the folders of runs that are compared; they are read only.
import { basename } from 'node:path'
import { createReviewBook } from '../../analysis/reviews/book.ts'
import type { ReviewFile } from '../../analysis/reviews/merge.ts'
import { readFolderReviews } from '../reviews/folder-reviews.ts'
import { runFolder } from '../run-folder.ts'
import type { ComparedRun } from './compared-run.ts'
import { startOf } from './history.ts'

export interface RunReviews {
  /** What stands when all runs have spoken, the oldest first: that somebody changed his mind over them is no conflict. */
  readonly file: ReviewFile
  readonly notes: readonly string[]
}

/**
 * A results.csv is always read, two or three seconds for 100,000 rows: when it was changed says nothing of a folder that
 * was copied, and comparing so many takes far longer.
 */
export async function readRunReviews(runs: readonly ComparedRun[]): Promise<RunReviews> {
  const book = createReviewBook()
  const notes: string[] = []
  const inOrder = runs
    // Another tool's export has no folder.
    .filter(({ manifest }) => manifest !== undefined)
    .toSorted((some, other) => (startOf(some) < startOf(other) ? -1 : 1))
  for (const { path, questions } of inOrder) {
    const { log, broken } = await readFolderReviews(runFolder(path), questions, undefined)
    for (const review of log) book.add(review)
    for (const { path: file, fault } of broken)
      notes.push(`${basename(file)} of ${path} could not be read whole (${fault}): mend it and compare again`)
  }
  return { file: { name: 'one of the compared runs', reviews: book.standing() }, notes }
}
