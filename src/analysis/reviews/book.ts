// What people think of answers: reviews from several tables in one book, carried to answers with the same text.
import type { AwaitedReview, Review, Reviewing, WordedReview } from '../../domain/review.ts'
import { pictureControls } from '../../domain/text.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { fold } from '../grading/fold.ts'

export type ReviewBook = ReturnType<typeof createReviewBook>

export function createReviewBook() {
  /** By question and by the key of the answer, in the order in which they were said. */
  const questions = new Map<string, Map<string, Review>>()
  const answersTo = (questionId: string): Map<string, Review> => questions.get(questionId) ?? new Map()
  return {
    /** Of one question and answer the review added last stands. */
    add: (review: Review): void => {
      const answers = answersTo(review.questionId)
      questions.set(review.questionId, answers)
      const key = answerKey(review.answer)
      const known = answers.get(key)
      // A map keeps the first place of a key: what is said again is said last.
      answers.delete(key)
      answers.set(key, known === undefined ? review : merge(known, review))
    },
    /** What stands now, one an answer; of each question in the order in which it was said. */
    standing: (): Review[] => [...questions.values()].flatMap((answers) => [...answers.values()]),
    reviewFor: (questionId: string, answer: string): Reviewing => {
      const answers = answersTo(questionId)
      if (answers.size === 0) return { kind: 'new', note: '' }
      const keys = [answerKey(answer), answerKey(asSaved(answer))]
      const [, { review, note } = { review: undefined, note: '' }] =
        [...answers].findLast(([key]) => keys.includes(key)) ?? []
      if (review !== undefined) return { kind: 'reviewed', review, note }
      // A note without its word: somebody saw this answer and has not decided, so no word comes from elsewhere.
      const before = [...answers.values()].findLast(isWorded)
      return before === undefined ? { kind: 'new', note } : { kind: 'changed', before, note }
    },
  }
}

/** A cell of a spreadsheet takes 32,767 characters, line ends among them: texts that are alike so far are one answer. */
const MOST_READ = 30_000
const MOST_COMPARED = 16_000

/** The same for texts that are the same but for case, white space and typographic signs. */
const answerKey = (answer: string): string =>
  fold(pictureControls(answer.slice(0, MOST_READ)).toWellFormed()).slice(0, MOST_COMPARED)

/** What Windows-1252 cannot hold, as a spreadsheet saves "CSV" by default: it writes question marks. */
const BEYOND_1252 = /[^\p{ASCII}\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/gu
const asSaved = (answer: string): string =>
  answer.slice(0, MOST_READ).replaceAll(BEYOND_1252, (sign) => '?'.repeat(sign.length))

/** An empty cell says nothing; but a note explains its word, and goes when the word does. */
function merge(known: Review, { questionId, answer, review, note }: Review): Review {
  const isOtherWord = review !== undefined && known.review !== undefined && review !== known.review
  const keepsNote = note === '' && !isOtherWord
  return { questionId, answer, review: review ?? known.review, note: keepsNote ? known.note : note }
}

const isWorded = (review: Review): review is WordedReview => review.review !== undefined

/**
 * The later word stands: of the log, then what is new in the files, then what was edited in the tables since we wrote them. So
 * an old file, named again, takes back no later edit, and merging the same again changes nothing. Returns the log with what is
 * new at its end.
 */
export function mergeReviews({
  log,
  named,
  results,
}: {
  /** What was merged before, in the order in which it was said. */
  readonly log: readonly Review[]
  /** From `--reviews` files: a later file wins over one before it. */
  readonly named: readonly Review[]
  /** What stands in the folder's tables, our own words among it. */
  readonly results: readonly Review[]
}): { readonly book: ReviewBook; readonly log: readonly Review[] } {
  const book = createReviewBook()
  for (const review of log) book.add(review)
  // Before the files are read: what the tables only repeat is no edit.
  const edits = results.filter((review) => isNews(book, review))
  const known = new Set(log.map(keyOf))
  const fresh = [...named.filter((review) => !known.has(keyOf(review))), ...edits]
  for (const review of fresh) book.add(review)
  return { book, log: [...log, ...withoutRepeats(fresh)] }
}

const keyOf = ({ questionId, answer, review, note }: Review): string =>
  JSON.stringify([questionId, answerKey(answer), review, note])

/** Rows of repeats say the same one after the other: once is enough. */
function withoutRepeats(reviews: readonly Review[]): Review[] {
  const last = new Map<string, string>()
  return reviews.filter((review) => {
    const key = keyOf(review)
    const isRepeat = last.get(review.questionId) === key
    last.set(review.questionId, key)
    return !isRepeat
  })
}

/** Whether a review says what does not stand yet. Empty cells say nothing. */
function isNews({ reviewFor }: ReviewBook, { questionId, answer, review, note }: Review): boolean {
  const known = reviewFor(questionId, answer)
  const isWord = review !== undefined && (known.kind !== 'reviewed' || known.review !== review)
  return isWord || (note !== '' && known.note !== note)
}

const MOST_AWAITED = 200
/** Characters of a question that are enough to know it by. */
const LONGEST_SHOWN = 300

/** How many answers of a run people have reviewed, and which need a review again. */
export function createReviewTally() {
  const counts = { reviewed: 0, good: 0, acceptable: 0, poor: 0, changed: 0, new: 0 }
  const awaited: AwaitedReview[] = []
  return {
    /** The repeats of one question, each distinct answer once. What is no answer is passed over: there is nothing to review. */
    add: (repeats: readonly TurnRecord[], reviewingOf: (turn: TurnRecord) => Reviewing): void => {
      const answers = new Set<string>()
      for (const turn of repeats) {
        if (turn.outcome !== 'answered' || turn.result?.kind !== 'reply') continue
        const key = fold(turn.result.reply.message)
        if (answers.has(key)) continue
        answers.add(key)
        const reviewing = reviewingOf(turn)
        counts[reviewing.kind] += 1
        if (reviewing.kind === 'reviewed') counts[reviewing.review] += 1
        if (reviewing.kind !== 'changed' || awaited.length === MOST_AWAITED) continue
        const { id, message } = turn.question
        const { before, note } = reviewing
        const words = (note || before.note).slice(0, LONGEST_SHOWN)
        awaited.push({ id, message: message.slice(0, LONGEST_SHOWN), before: before.review, note: words })
      }
    },
    counts,
    /** In the order of the set; the first two hundred. */
    awaited: awaited as readonly AwaitedReview[],
  }
}
