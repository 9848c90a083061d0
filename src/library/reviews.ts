// Reviews of answers, from `--reviews` and the run folder's reviews.csv, to which reports only append.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type MergedReviews, mergeReviews } from '../analysis/reviews/book.ts'
import { readDecisions } from '../dataset/decisions.ts'
import type { Fault } from '../dataset/messages.ts'
import { readReviews } from '../dataset/reviews.ts'
import type { Decision, NewDecision } from '../domain/articles.ts'
import type { Question } from '../domain/question.ts'
import type { Review } from '../domain/review.ts'
import { faultsError } from '../options/faults.ts'
import { renderSpreadsheet, type SheetColumn } from '../report/spreadsheet.ts'
import { REVIEW_COLUMNS } from '../report/tables.ts'
import { appendRow, appendWhole, isOurs, textOf, writeWhole } from '../store/files.ts'
import { findRunFolders, isRun, noRun, runFolder, type RunFolder } from '../store/folder.ts'
import { readManifest } from '../store/manifest.ts'
import { decisionFiles } from './articles.ts'

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
export function keepReviews({ reviews: path }: RunFolder, { log, fresh }: MergedReviews): void {
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

const COLUMNS: readonly SheetColumn<NewDecision>[] = [
  ['id', ({ id }) => id],
  ['message', ({ message }) => message],
  ['article', ({ article }) => (article === null ? 'none' : article)],
  ['by', ({ by }) => by],
  ['at', ({ at }) => at],
]

const render = (rows: readonly NewDecision[]): string =>
  [...renderSpreadsheet({ columns: COLUMNS, rows })].join('')

/** The file that the run was judged by. */
function namedFile(run: string): string | undefined {
  if (!isRun(run)) throw noRun(run)
  const { options } = readManifest(runFolder(run))
  const named = 'decisions' in options ? options.decisions : null
  return named === null ? undefined : join(run, named)
}

export async function decisionsOf(run: string): Promise<readonly Decision[]> {
  const named = namedFile(run)
  return read(...(named === undefined ? decisionFiles(run) : [named].filter((path) => existsSync(path))))
}

async function read(...paths: readonly string[]): Promise<readonly Decision[]> {
  const { decisions, faults } = await readDecisions(...paths)
  if (faults.length > 0) throw faultsError(faults, 'sent or written')
  return decisions
}

export async function addDecision(run: string, decision: NewDecision): Promise<void> {
  const path = namedFile(run) ?? join(run, '..', 'decisions.csv')
  return appendRow({ path, render, read: async () => (existsSync(path) ? read(path) : []) }, decision)
}
