// Reviews of answers: read from `--reviews` files and the tables of a run folder, and kept in its
// reviews.csv, which is a log: reports and the workbench append to it.
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { type MergedReviews, mergeReviews } from '../analysis/reviews/book.ts'
import type { ReviewedRun } from '../analysis/reviews/pair.ts'
import { turnRecords } from '../analysis/turns.ts'
import { type Fault, formatFault } from '../dataset/messages.ts'
import { readReviews } from '../dataset/reviews.ts'
import type { Review } from '../domain/review.ts'
import { renderReviewsCsv } from '../report/results-csv.ts'
import { faultsError } from '../options/faults.ts'
import { openPicker } from '../journal/read.ts'
import { appendWhole, readJson, writeWhole } from '../store/files.ts'
import type { RecordedRun } from './recorded-run.ts'
import { findRunFolders, isRun, noRun, runFolder, type RunFolder } from '../store/folder.ts'

/** Throws UsageError with every fault of all files. */
export async function loadReviews(
  paths: readonly string[],
  note: (text: string) => void,
): Promise<readonly Review[]> {
  const files: (readonly Review[])[] = []
  const faults: Fault[] = []
  for (const path of paths.flatMap(withLog)) {
    if (isFolder(path)) {
      files.push(await reviewsOfFolder(path, note))
      continue
    }
    const reading = await readReviews(path)
    files.push(reading.reviews)
    faults.push(...reading.faults)
    for (const warning of reading.warnings) note(warning)
  }
  if (faults.length > 0) throw faultsError(faults, 'sent or written')
  return files.flat()
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/** All that a run carries, or a comparison, or the runs of several targets. */
async function reviewsOfFolder(path: string, note: (text: string) => void): Promise<readonly Review[]> {
  const runs = findRunFolders(path).map((run) => run.path)
  const logs: Review[] = []
  for (const folder of runs.length === 0 ? [path] : runs)
    logs.push(...((await readFolderReviews(folder))?.log ?? []))
  if (runs.length === 0 && logs.length === 0) throw noRun(path)
  if (logs.length === 0) note(`${path} holds no reviews`)
  return logs
}

/** A run's results lack ratings of answers that have changed since; its `reviews.csv` has them. */
function withLog(path: string): string[] {
  const log = join(dirname(path), 'reviews.csv')
  return /^results\.(?:csv|xlsx)$/.test(basename(path)) && existsSync(log) ? [log, path] : [path]
}

/**
 * Reviews in a results.csv that is sent again as a question set. A cell that is not a rating is only noted
 * there.
 */
export async function reviewsOfSets(
  paths: readonly string[],
  note: (text: string) => void,
): Promise<readonly Review[]> {
  const files: (readonly Review[])[] = []
  for (const path of paths.flatMap(withLog)) {
    const { reviews, faults } = await readReviews(path)
    files.push(reviews)
    for (const fault of faults) note(`${formatFault(fault)}; the cell is ignored`)
  }
  return files.flat()
}

/** All that these runs carry, in their order: if two disagree, the later one decides. */
export async function reviewsOf(runs: readonly RecordedRun[]): Promise<readonly Review[]> {
  const logs: Review[] = []
  for (const { folder } of runs) logs.push(...((await readFolderReviews(folder.path))?.log ?? []))
  return logs
}

/**
 * The reviews in the folder of a run or a comparison, with those of `named`; undefined without any. Only
 * reads. `run`: gives the reviews the ids of its questions. Throws UsageError for a table in the folder that
 * cannot be read: it must not be overwritten.
 */
export async function readFolderReviews(
  folder: string,
  { named = [], run }: { named?: readonly Review[]; run?: RecordedRun } = {},
): Promise<MergedReviews | undefined> {
  const { reviews, results, comparison, workbook } = runFolder(folder)
  const edited: Review[] = []
  for (const path of [results, comparison, workbook]) edited.push(...(await readTable(path)))
  const log = await readTable(reviews)
  const written = writtenOf(folder)
  const merged = mergeReviews({ log, written, named, results: edited }, run && reviewedRun(run))
  return existsSync(reviews) || merged.log.length > 0 ? merged : undefined
}

const summaryWithReviews = z.object({ reviews: z.object({ logged: z.int().nonnegative() }) })

/** How many reviews of the log the last report knew; undefined if it does not say. */
function writtenOf(folder: string): number | undefined {
  try {
    return summaryWithReviews.parse(readJson(runFolder(folder).summary)).reviews.logged
  } catch {
    return undefined
  }
}

/** Throws UsageError if the table has a fault: it would be overwritten. */
async function readTable(path: string): Promise<readonly Review[]> {
  if (!existsSync(path)) return []
  const reading = await readReviews(path)
  if (reading.faults.length > 0) throw faultsError(reading.faults, 'sent or written')
  return reading.reviews
}

function reviewedRun({ model, folder }: RecordedRun): ReviewedRun {
  return {
    questions: model.questions.flatMap((question) => question ?? []),
    answers: function* () {
      const picker = openPicker(folder.journal)
      try {
        const slots = [...model.slots, ...model.confirming]
        for (const { question, result } of turnRecords({ ...model, slots }, picker.pick))
          if (result?.kind === 'reply') yield { id: question.id, answer: result.reply.message }
      } finally {
        picker.close()
      }
    },
  }
}

/**
 * Adds the fresh reviews to the folder's `reviews.csv`. Only appends, so that a report and the workbench do
 * not lose each other's. Throws StorageError if the disk does not take them.
 */
export function keepReviews(
  { reviews: path }: RunFolder,
  { log, fresh }: Pick<MergedReviews, 'log' | 'fresh'>,
): void {
  if (takesOurRows(path)) appendWhole(path, rowsOf(fresh))
  // Saved by a spreadsheet in its own way, or by an editor without the end of its last line.
  else writeWhole(path, [...renderReviewsCsv(log)].join(''))
}

const HEADER = [...renderReviewsCsv([])].join('')

const rowsOf = (reviews: readonly Review[]): string =>
  [...renderReviewsCsv(reviews)].join('').slice(HEADER.length)

/** Whether it begins with our header, and its last row is ended. */
function takesOurRows(path: string): boolean {
  if (!existsSync(path)) return false
  const file = openSync(path, 'r')
  try {
    const [start, end] = [Buffer.alloc(HEADER.length), Buffer.alloc(1)]
    readSync(file, start, 0, start.length, 0)
    readSync(file, end, 0, 1, Math.max(0, fstatSync(file).size - 1))
    return start.toString() === HEADER && end.toString() === '\n'
  } finally {
    closeSync(file)
  }
}

export async function addReview(path: string, review: Review): Promise<void> {
  if (!isRun(path)) throw noRun(path)
  const folder = runFolder(path)
  const log = takesOurRows(folder.reviews) ? [] : await readTable(folder.reviews)
  keepReviews(folder, { log: [...log, review], fresh: [review] })
}

export const reviewsIn = async (path: string): Promise<readonly Review[]> =>
  readTable(runFolder(path).reviews)
