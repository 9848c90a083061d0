// Reviews of answers of megabytes in one book.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { mergeReviews, type MergedReviews } from '../../../src/analysis/reviews/merge.ts'
import type { Review } from '../../../src/domain/review.ts'
import { makeReview } from '../../support/reviews.ts'

const merge = (log: readonly Review[], reviews: readonly Review[]): MergedReviews =>
  mergeReviews({ log, files: [{ name: 'file.csv', reviews }], results: [] })

/** What is reachable, in bytes. */
function heldNow(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

test('of long answers no second text is kept to know them again', () => {
  const LENGTH = 4_000_000
  const reviews = ['q1', 'q2', 'q3'].map((id) => makeReview(id, `It is ${id}. `.repeat(LENGTH / 10), 'good'))
  const known = merge([], reviews)
  const before = heldNow()
  // Without the book, which keeps the texts by which answers are compared.
  const { log } = merge(known.log, reviews)
  expect(log).toEqual(known.log)
  expect(heldNow() - before).toBeLessThan(LENGTH)
})
