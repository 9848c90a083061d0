// What people think of answers: read from files that are named and from the tables of a folder, merged into its reviews.csv.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mergeReviews, type ReviewBook, type ReviewFile } from '../analysis/reviews/book.ts'
import type { Fault } from '../dataset/remarks.ts'
import { readReviews, type Unreviewed } from '../dataset/reviews.ts'
import type { Question } from '../domain/question.ts'
import { REVIEW_WORDS, type Review, type Reviewing } from '../domain/review.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { renderReviewsCsv } from '../report/reviews-csv.ts'
import type { ReviewCells } from '../report/results-csv.ts'
import { writeWhole } from './files.ts'
import { faultsError } from './question-sets.ts'
import type { RunFolder } from './run-folder.ts'

/** Throws UsageError with every fault of all of them; `undone`: what was not done for them. */
export async function loadReviews(
  paths: readonly string[] | undefined,
  undone: 'sent' | 'written',
  note: (text: string) => void,
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
    for (const warning of reading.warnings) note(warning)
  }
  if (faults.length > 0) throw faultsError(faults, truncated, undone)
  return files
}

/** The reviews in results that are sent again: whoever sends them again need not have reviewed, so what is no review there is no fault. */
export async function reviewsOfSets(paths: readonly string[]): Promise<readonly ReviewFile[]> {
  const files: ReviewFile[] = []
  for (const name of paths) {
    const { reviews } = await readReviews(name)
    if (reviews.length > 0) files.push({ name, reviews })
  }
  return files
}

export interface FolderReviews {
  /** For `reviews.csv`; undefined where no review is known and no file was named. */
  readonly log: readonly Review[] | undefined
  readonly notes: readonly string[]
  readonly reviewingOf: (turn: TurnRecord) => Reviewing
  readonly cellsOf: (turn: TurnRecord) => ReviewCells
  /** Of any answer to a question. */
  readonly reviewFor: ReviewBook['reviewFor']
}

/** Throws UsageError where a person has broken a table of the folder: it is not written over. Reads, and writes nothing. */
export async function readFolderReviews(
  folder: RunFolder,
  questions: readonly (Question | undefined)[],
  imported: readonly ReviewFile[] | undefined,
): Promise<FolderReviews> {
  const byId = new Map(questions.flatMap((one) => (one === undefined ? [] : [[one.id, one]])))
  const log = await readTable(folder.reviews)
  const results = await readTable(folder.results, (id) => {
    const question = byId.get(id)
    return question === undefined ? undefined : unreviewedCells(question)
  })
  const edited = [...results, ...(await readTable(folder.comparison))]
  const merged = mergeReviews({ log, files: imported ?? [], results: edited })
  const reviewingOf = (turn: TurnRecord): Reviewing =>
    merged.book.reviewFor(turn.question.id, turn.result?.kind === 'reply' ? turn.result.reply.message : '')
  const isNone = imported === undefined && !existsSync(folder.reviews) && merged.log.length === 0
  return {
    log: isNone ? undefined : merged.log,
    notes: [...merged.notes, ...unknownIds(imported ?? [], results, byId)],
    reviewingOf,
    reviewFor: merged.book.reviewFor,
    cellsOf: (turn) => {
      const set = unreviewedCells(turn.question)
      const reviewing = reviewingOf(turn)
      const word = reviewing.kind === 'reviewed' ? reviewing.review : ''
      return { review: word || set.review, note: reviewing.note || set.note }
    },
  }
}

/** Also those that an earlier comparison has left in a comparison's folder. */
export async function readComparisonReviews(folder: string): Promise<{ log: Review[]; edited: Review[] }> {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
  const edited: Review[] = []
  for (const name of names.filter((one) => /^comparison(?:-\d+-.*)?\.csv$/.test(one)))
    edited.push(...(await readTable(join(folder, name))))
  return { log: await readTable(join(folder, 'reviews.csv')), edited }
}

/** Throws UsageError where a table cannot be read whole: it would be written over. */
async function readTable(path: string, unreviewed?: Unreviewed): Promise<Review[]> {
  if (!existsSync(path)) return []
  const { reviews, faults, truncated } = await readReviews(path, unreviewed)
  if (faults.length > 0) throw faultsError(faults, truncated, 'written')
  return [...reviews]
}

/** What the set says beside a question, for the columns of these names. A rating there was given to an answer that nobody knows. */
function unreviewedCells({ review = '', note = '' }: Question): ReviewCells {
  return { review: REVIEW_WORDS.some((word) => word === review.toLowerCase()) ? '' : review, note }
}

const MOST_NAMES = 5

/** A spreadsheet makes 7 of 007, and a date of 1-2. A file of many sets' reviews is named only where none of them is of this run. */
function unknownIds(
  files: readonly ReviewFile[],
  results: readonly Review[],
  byId: ReadonlyMap<string, Question>,
): string[] {
  const lost = [...new Set(results.map(({ questionId }) => questionId))].filter((id) => !byId.has(id))
  const strangers = files.filter(
    ({ reviews }) => reviews.length > 0 && reviews.every(({ questionId }) => !byId.has(questionId)),
  )
  const more = lost.length > MOST_NAMES ? `, and ${lost.length - MOST_NAMES} more` : ''
  return [
    ...(lost.length === 0
      ? []
      : [
          `results.csv has reviews under ids that no question of the run has (${lost.slice(0, MOST_NAMES).join(', ')}${more}); did a spreadsheet change them? They are kept in reviews.csv`,
        ]),
    ...strangers.map(
      ({ name }) => `no review of ${name} is of a question of this run; did a spreadsheet change the ids?`,
    ),
  ]
}

export const writeReviews = ({ reviews }: Pick<RunFolder, 'reviews'>, log: readonly Review[]): void =>
  writeWhole(reviews, [...renderReviewsCsv(log)].join(''))
