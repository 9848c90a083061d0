// Reviews of answers: read from `--reviews` files and the tables of a run folder, merged into its reviews.csv.
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { mergeReviews } from '../analysis/reviews/book.ts'
import type { Fault } from '../dataset/remarks.ts'
import { readReviews } from '../dataset/reviews.ts'
import type { Review, Reviewing } from '../domain/review.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { renderReviewsCsv } from '../report/results-csv.ts'
import { writeWhole } from './files.ts'
import { faultsError } from './question-sets.ts'
import type { RunFolder } from './run-folder.ts'

/** Throws UsageError with every fault of all files. `undone`: what was not done because of them. */
export async function loadReviews(
  paths: readonly string[],
  undone: 'sent' | 'written',
  note: (text: string) => void,
): Promise<readonly Review[]> {
  const files: (readonly Review[])[] = []
  const faults: Fault[] = []
  for (const path of paths.flatMap(withLog)) {
    const reading = await readReviews(path)
    files.push(reading.reviews)
    faults.push(...reading.faults)
    for (const warning of reading.warnings) note(warning)
  }
  if (faults.length > 0) throw faultsError(faults, undone)
  return files.flat()
}

/** A run's `results.csv` lacks ratings of answers that have changed since; its `reviews.csv` has them. */
function withLog(path: string): string[] {
  const log = join(dirname(path), 'reviews.csv')
  return basename(path) === 'results.csv' && existsSync(log) ? [log, path] : [path]
}

/** Reviews in a results.csv that is sent again as a question set. A cell that is not a rating is not a fault there. */
export async function reviewsOfSets(paths: readonly string[]): Promise<readonly Review[]> {
  const files: (readonly Review[])[] = []
  for (const path of paths) files.push((await readReviews(path)).reviews)
  return files.flat()
}

export type FolderReviews = Awaited<ReturnType<typeof readFolderReviews>>

/**
 * Only reads. `log`: for `reviews.csv`; undefined without any review. Throws UsageError for a table in the folder that cannot be
 * read: it must not be overwritten.
 */
export async function readFolderReviews(folder: RunFolder, imported: readonly Review[] = []) {
  const log = await readTable(folder.reviews)
  const edited = [...(await readTable(folder.results)), ...(await readTable(folder.comparison))]
  const merged = mergeReviews({ log, named: imported, results: edited })
  const reviewingOf = (turn: TurnRecord): Reviewing =>
    merged.book.reviewFor(turn.question.id, turn.result?.kind === 'reply' ? turn.result.reply.message : '')
  const isNone = !existsSync(folder.reviews) && merged.log.length === 0
  return {
    log: isNone ? undefined : merged.log,
    reviewingOf,
    reviewFor: merged.book.reviewFor,
  }
}

/** Reviews in a comparison's folder, those of earlier comparisons included. */
export async function readComparisonReviews(folder: string): Promise<{ log: Review[]; edited: Review[] }> {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
  const edited: Review[] = []
  for (const name of names.filter((one) => /^comparison(?:-\d+-.*)?\.csv$/.test(one)))
    edited.push(...(await readTable(join(folder, name))))
  return { log: await readTable(join(folder, 'reviews.csv')), edited }
}

/** Throws UsageError if the table has a fault: it would be overwritten. */
async function readTable(path: string): Promise<Review[]> {
  if (!existsSync(path)) return []
  const { reviews, faults } = await readReviews(path)
  if (faults.length > 0) throw faultsError(faults, 'written')
  return [...reviews]
}

export const writeReviews = ({ reviews }: Pick<RunFolder, 'reviews'>, log: readonly Review[]): void =>
  writeWhole(reviews, [...renderReviewsCsv(log)].join(''))
