// A file of reviews, as a spreadsheet or the report page saved it: its reviews, and everything that is wrong with it.
import type { Review } from '../../domain/review.ts'
import type { Fault } from '../fault.ts'
import { FaultLog } from '../fault-log.ts'
import { readFile } from '../file-reader.ts'
import { WarningLog } from '../warning-log.ts'
import { ReviewRows, type ReviewListener } from './rows.ts'

export interface ReviewReading {
  /** Of the rows that are sound, in their order. */
  readonly reviews: readonly Review[]
  /** In the order of the lines. */
  readonly faults: readonly Fault[]
  /** How many more faults there are. */
  readonly truncated: number
  readonly warnings: readonly string[]
}

/**
 * Rows in any number for a question. `unreviewed`: cells that we wrote into the file ourselves. Nothing is thrown but
 * for our own bugs: a file that cannot be read is a fault.
 */
export async function readReviews(
  path: string,
  unreviewed: ReviewListener['unreviewed'] = () => undefined,
): Promise<ReviewReading> {
  const faults = new FaultLog()
  const warnings = new WarningLog()
  const reviews: Review[] = []
  const listener: ReviewListener = {
    fail: (remark) => faults.add(0, { file: path, ...remark }),
    warn: (remark, kind) => warnings.add({ file: path, ...remark }, kind),
    unreviewed,
    review: (review) => reviews.push(review),
  }
  const rows = new ReviewRows(listener)
  const file = await readFile(path, {
    ...listener,
    record: (record) => rows.take(record),
    mayBeLong: () => true,
  })
  if (file?.isWhole === true) rows.end()
  return {
    reviews,
    faults: faults.sorted(),
    truncated: faults.truncated,
    warnings: warnings.list(),
  }
}
