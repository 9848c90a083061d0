// Reads files of reviews that were named; a faulty one is refused whole, before anything is sent or written.
import type { ReviewFile } from '../../analysis/reviews/merge.ts'
import { readReviews } from '../../dataset/reviews.ts'
import type { Fault } from '../../dataset/remarks.ts'
import { visible } from '../../report/visible.ts'
import { say } from '../output.ts'
import { describeFaults } from '../question-sets.ts'
import { UsageError } from '../../library/usage-error.ts'

/** Undefined where no file is named. Throws UsageError with every fault of all of them; `undone`: what was not done for them. */
export async function loadReviews(
  paths: readonly string[] | undefined,
  undone: 'sent' | 'written' = 'sent',
): Promise<readonly ReviewFile[] | undefined> {
  if (paths === undefined) return undefined
  const files: ReviewFile[] = []
  const faults: Fault[] = []
  let truncated = 0
  for (const path of paths) {
    const reading = await readReviews(path)
    files.push({ name: path, reviews: reading.reviews })
    faults.push(...reading.faults)
    truncated += reading.truncated
    for (const warning of reading.warnings) say(`Note: ${visible(warning)}`)
  }
  if (faults.length > 0) throw new UsageError(describeFaults(faults, truncated, undone))
  return files
}

/**
 * The reviews in results that are asked again, each of the answer beside it. What is no review there is no fault: who
 * asks again need not have reviewed.
 */
export async function reviewsOfSets(paths: readonly string[]): Promise<readonly ReviewFile[]> {
  const files: ReviewFile[] = []
  for (const path of paths) {
    const { reviews } = await readReviews(path)
    if (reviews.length > 0) files.push({ name: path, reviews })
  }
  return files
}
