// Reviews of answers, from `--reviews` and the run folder's reviews.csv, to which reports only append.
import { existsSync, statSync } from 'node:fs'
import { type MergedReviews, mergeReviews } from '../analysis/reviews/book.ts'
import type { Fault } from '../dataset/messages.ts'
import { readReviews } from '../dataset/reviews.ts'
import type { Question } from '../domain/question.ts'
import type { Review } from '../domain/review.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { REVIEW_COLUMNS } from '../report/tables.ts'
import { faultsError } from '../options/faults.ts'
import { appendRow, appendWhole, isOurs, textOf, writeWhole } from '../store/files.ts'
import { findRunFolders, isRun, noRun, runFolder, type RunFolder } from '../store/folder.ts'

export async function loadReviews(
  paths: readonly string[],
  note: (text: string) => void,
): Promise<readonly Review[]> {
  const all: (readonly Review[])[] = []
  const faults: Fault[] = []
  for (const path of paths) {
    if (existsSync(path) && statSync(path).isDirectory()) {
      // All that a run carries, or a comparison, or the runs of several targets.
      const runs = findRunFolders(path).map((run) => run.path)
      const reviews = await reviewsOf(runs.length === 0 ? [path] : runs)
      if (runs.length === 0 && reviews.length === 0) throw noRun(path)
      if (reviews.length === 0) note(`${path} holds no reviews`)
      all.push(reviews)
      continue
    }
    const reading = await readReviews(path)
    all.push(reading.reviews)
    faults.push(...reading.faults)
    for (const warning of reading.warnings) note(warning)
  }
  if (faults.length > 0) throw faultsError(faults, 'sent or written')
  return all.flat()
}

/** Reads the reviews of these folders; if two disagree, the later one decides. */
export async function reviewsOf(folders: readonly string[]): Promise<readonly Review[]> {
  const reviews: (readonly Review[])[] = []
  for (const folder of folders) reviews.push(await reviewsIn(folder))
  return reviews.flat()
}

/** Reads the folder's reviews. Throws UsageError if the table has a fault: it would be overwritten. */
export async function reviewsIn(path: string): Promise<readonly Review[]> {
  const { reviews } = runFolder(path)
  if (!existsSync(reviews)) return []
  const reading = await readReviews(reviews)
  if (reading.faults.length > 0) throw faultsError(reading.faults, 'sent or written')
  return reading.reviews
}

/** Merges the reviews in a folder with those of `named`, if there are any; `questions` give the ids. */
export async function mergedReviews(
  folder: string,
  named: readonly Review[],
  questions?: readonly (Question | undefined)[],
): Promise<MergedReviews | undefined> {
  const known = questions?.flatMap((question) => question ?? [])
  const merged = mergeReviews(await reviewsIn(folder), named, known)
  return existsSync(runFolder(folder).reviews) || merged.log.length > 0 ? merged : undefined
}

/** Only appends, as the workbench may meanwhile. Throws StorageError. */
export function keepReviews(
  { reviews: path }: RunFolder,
  { log, fresh }: Pick<MergedReviews, 'log' | 'fresh'>,
): void {
  if (isOurs(textOf(path), HEADER)) appendWhole(path, csvOf(fresh).slice(HEADER.length))
  else writeWhole(path, csvOf(log))
}

const csvOf = (rows: readonly Review[]): string =>
  [...renderSpreadsheet({ columns: REVIEW_COLUMNS, rows })].join('')

const HEADER = csvOf([])

export async function addReview(path: string, review: Review): Promise<void> {
  if (!isRun(path)) throw noRun(path)
  const table = { path: runFolder(path).reviews, render: csvOf, read: async () => reviewsIn(path) }
  return appendRow(table, review)
}
