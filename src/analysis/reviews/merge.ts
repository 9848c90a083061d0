// Reviews of a run folder, of files brought to it and of its edited results made into one book: nothing is lost.
import { digits } from '../../domain/text.ts'
import type { Review, Reviewing, ReviewWord } from '../../domain/review.ts'
import { answerText, isReCoded } from './answer-text.ts'
import { createReviewBook, type ReviewBook } from './book.ts'

/** The reviews of one file, in its order. */
export interface ReviewFile {
  readonly name: string
  readonly reviews: readonly Review[]
}

export interface ReviewSources {
  /** What was merged before, in the order in which it was said. */
  readonly log: readonly Review[]
  /** A later file wins over one before it. */
  readonly files: readonly ReviewFile[]
  /** What stands in the folder's results, our own words among it. */
  readonly results: readonly Review[]
  /** The name of their file. */
  readonly table?: string
}

export interface MergedReviews {
  readonly book: ReviewBook
  /** The log with what is new at its end. */
  readonly log: readonly Review[]
  /** What a reader should know. */
  readonly notes: readonly string[]
}

/**
 * The latest word of a person stands: what was merged before, then what files say that they had not said before, then
 * what was edited in the results since we wrote them. So an old file, named again, takes back no later edit, and
 * merging the same again changes nothing.
 */
export function mergeReviews({ log, files, results, table = 'results.csv' }: ReviewSources): MergedReviews {
  const book = createReviewBook()
  const heard = new Set(log.map(keyOf))
  for (const review of log) book.add(review)
  // Before the files are heard: what the results only repeat is no edit.
  const edits = results.filter((review) => isNews(book.reviewFor(review.questionId, review.answer), review))
  const fresh: Review[] = []
  const lastSaid = new Map<string, string>()
  /** Returns the word that it stands instead of. Rows of repeats say the same one after the other: once is enough. */
  const take = (review: Review): ReviewWord | undefined => {
    const key = keyOf(review)
    if (lastSaid.get(review.questionId) === key) return undefined
    lastSaid.set(review.questionId, key)
    fresh.push(review)
    return book.add(review)
  }
  const fromFiles = new Set<string>()
  const overruled: string[] = []
  const outdated: { readonly name: string; readonly review: Review }[] = []
  for (const { name, reviews } of files)
    for (const review of reviews) {
      if (heard.has(keyOf(review))) outdated.push({ name, review })
      else {
        if (take(review) !== undefined) overruled.push(review.questionId)
        fromFiles.add(review.questionId)
      }
    }
  for (const review of edits) {
    const was = take(review)
    // That somebody changes his mind is no conflict.
    if (was !== undefined && fromFiles.has(review.questionId)) overruled.push(review.questionId)
  }
  const passedOver = outdated.filter(({ review }) => isOverruled(book, review))
  return {
    book,
    log: [...log, ...fresh],
    notes: [
      ...describe(overruled, 'reviewed otherwise before, or in two places: the later review stands'),
      ...[...new Set(passedOver.map(({ name }) => name))].flatMap((name) =>
        describe(
          passedOver.filter((one) => one.name === name).map(({ review }) => review.questionId),
          `reviewed otherwise since than ${name} says: the later review stands; change it in ${table}`,
        ),
      ),
    ],
  }
}

const keys = new WeakMap<Review, string>()

/** Folding is most of the work, and each review is looked for several times. */
function keyOf(said: Review): string {
  const { questionId, answer, review, note } = said
  const key = keys.get(said) ?? JSON.stringify([questionId, answerText(answer).key, review, note])
  keys.set(said, key)
  return key
}

/** Empty cells say nothing, and a note that lost signs in a spreadsheet says no more than it did. */
const isNews = (known: Reviewing, { review, note }: Review): boolean =>
  (review !== undefined && (known.kind !== 'reviewed' || known.review !== review)) ||
  (note !== '' && known.note !== note && !isReCoded(answerText(known.note), answerText(note)))

function isOverruled(book: ReviewBook, { questionId, answer, review }: Review): boolean {
  const known = book.reviewFor(questionId, answer)
  return review !== undefined && known.kind === 'reviewed' && known.review !== review
}

const MOST_NAMES = 5

function describe(questionIds: readonly string[], what: string): string[] {
  const ids = [...new Set(questionIds)]
  if (ids.length === 0) return []
  const more = ids.length > MOST_NAMES ? `, and ${ids.length - MOST_NAMES} more` : ''
  const count = `${digits(questionIds.length)} ${questionIds.length === 1 ? 'answer was' : 'answers were'}`
  return [`${count} ${what} (${ids.slice(0, MOST_NAMES).join(', ')}${more})`]
}
