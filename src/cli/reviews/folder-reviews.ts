// The reviews of a run folder: what was merged into it, what its results say now, and what is brought to it.
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { ReviewBook } from '../../analysis/reviews/book.ts'
import { mergeReviews, type ReviewFile } from '../../analysis/reviews/merge.ts'
import { formatFault } from '../../dataset/remarks.ts'
import { readReviews, type ReviewReading } from '../../dataset/reviews.ts'
import type { Question } from '../../domain/question.ts'
import { REVIEW_WORDS, type Review, type Reviewing } from '../../domain/review.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { plural } from '../../domain/digits.ts'
import type { ReviewCells } from '../../report/results-csv.ts'
import { visible } from '../../report/visible.ts'
import type { RunFolder } from '../run-folder.ts'
import { unknownIds } from './unknown-ids.ts'

export interface FolderReviews {
  /** No file of reviews was ever named, and nobody wrote one into the results. */
  readonly isEmpty: boolean
  /** For `reviews.csv`. */
  readonly log: readonly Review[]
  /** Files of the folder that a person edited so that they cannot be read whole: to be kept before they are written. */
  readonly broken: readonly BrokenFile[]
  readonly notes: readonly string[]
  /** Of a turn without an answer: what was written beside it. */
  readonly reviewingOf: (turn: TurnRecord) => Reviewing
  readonly cellsOf: (turn: TurnRecord) => ReviewCells
  /** Of any answer to a question. */
  readonly reviewFor: ReviewBook['reviewFor']
}

export interface BrokenFile {
  readonly path: string
  /** The first fault, in words. */
  readonly fault: string
}

const NOTHING: ReviewReading = { reviews: [], faults: [], truncated: 0, warnings: [] }

/** `brought`: files that were named; undefined where none was. Reads, and writes nothing. */
export async function readFolderReviews(
  folder: RunFolder,
  questions: readonly (Question | undefined)[],
  brought: readonly ReviewFile[] | undefined,
): Promise<FolderReviews> {
  const byId = new Map(
    questions.flatMap((question) => (question === undefined ? [] : [[question.id, question]])),
  )
  const log = existsSync(folder.reviews) ? await readReviews(folder.reviews) : NOTHING
  const results = existsSync(folder.results)
    ? await readReviews(folder.results, (id) => {
        const question = byId.get(id)
        return question === undefined ? undefined : unreviewedCells(question)
      })
    : NOTHING
  const comparison = existsSync(folder.comparison) ? await readReviews(folder.comparison) : NOTHING
  const edited = [...results.reviews, ...comparison.reviews]
  const merged = mergeReviews({ log: log.reviews, files: brought ?? [], results: edited })
  const known = new WeakMap<TurnRecord, Reviewing>()
  const reviewingOf = (turn: TurnRecord): Reviewing => {
    const found = known.get(turn) ?? merged.book.reviewFor(turn.question.id, answerOf(turn))
    known.set(turn, found)
    return found
  }
  return {
    isEmpty: brought === undefined && !existsSync(folder.reviews) && merged.log.length === 0,
    log: merged.log,
    broken: [
      { path: folder.results, reading: results },
      { path: folder.comparison, reading: comparison },
      { path: folder.reviews, reading: log },
    ].flatMap(({ path, reading }) => describeBroken(path, reading)),
    notes: [
      ...merged.notes.map(visible),
      ...unknownIds(brought ?? [], results.reviews, (id) => byId.has(id)),
    ],
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

/**
 * What the set says beside a question, for the columns of these names. A set holds no answers: a word of a review there
 * was said of one that nobody knows, and stands beside none.
 */
function unreviewedCells({ review = '', note = '' }: Question): ReviewCells {
  return { review: REVIEW_WORDS.some((word) => word === review.toLowerCase()) ? '' : review, note }
}

const answerOf = ({ result }: TurnRecord): string => (result?.kind === 'reply' ? result.reply.message : '')

/** Empty where all could be read. */
export function describeBroken(path: string, { faults, truncated }: ReviewReading): BrokenFile[] {
  const [first] = faults
  if (first === undefined) return []
  const more = faults.length + truncated - 1
  const rest = more === 0 ? '' : `, and ${plural(more, 'more fault')}`
  return [{ path, fault: `${visible(formatFault({ ...first, file: basename(path) }))}${rest}` }]
}
