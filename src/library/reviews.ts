// Reviews of answers: read from `--reviews` files and the tables of a run folder, merged into its reviews.csv.
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { mergeReviews } from '../analysis/reviews/book.ts'
import type { Fault } from '../dataset/remarks.ts'
import { readReviews } from '../dataset/reviews.ts'
import type { Review, Reviewing } from '../domain/review.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { renderReviewsCsv } from '../report/results-csv.ts'
import type { NamedText } from './files.ts'
import { faultsError } from './question-sets.ts'
import { runFolder, type RunFolder } from './run-folder.ts'

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

export type Reviews = ReturnType<typeof mergeReviews>

/**
 * The reviews in the folder of a run or a comparison, with those of `named`; undefined without any. Only reads. Throws UsageError for a table in
 * the folder that cannot be read: it must not be overwritten.
 */
export async function readFolderReviews(
  folder: string,
  named: readonly Review[] = [],
): Promise<Reviews | undefined> {
  const { reviews, results } = runFolder(folder)
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
  const tables = names.filter((name) => /^comparison(?:-\d+-.*)?\.csv$/.test(name))
  const edited: Review[] = []
  for (const path of [results, ...tables.map((name) => join(folder, name))])
    edited.push(...(await readTable(path)))
  const merged = mergeReviews({ log: await readTable(reviews), named, results: edited })
  return existsSync(reviews) || merged.log.length > 0 ? merged : undefined
}

/** Throws UsageError if the table has a fault: it would be overwritten. */
async function readTable(path: string): Promise<readonly Review[]> {
  if (!existsSync(path)) return []
  const reading = await readReviews(path)
  if (reading.faults.length > 0) throw faultsError(reading.faults, 'written')
  return reading.reviews
}

/** The review of a turn's answer; undefined without any reviews. */
export const reviewingBy = (reviews: Reviews | undefined) =>
  reviews &&
  ((turn: TurnRecord): Reviewing =>
    reviews.book.reviewFor(turn.question.id, turn.result?.kind === 'reply' ? turn.result.reply.message : ''))

export const reviewsFile = ({ reviews: path }: RunFolder, { log }: Reviews): NamedText => [
  path,
  renderReviewsCsv(log),
]
