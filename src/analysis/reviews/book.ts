// Collects ratings from reviews.csv and other tables, and finds the review of an answer by its text.
import { replyOf } from '../../domain/attempt.ts'
import { listNames, makeMessage, type Message } from '../../domain/format.ts'
import type { RatedReview, Review, Reviewing } from '../../domain/review.ts'
import type { ListedQuestion, SummaryDetails } from '../../domain/summary.ts'
import { pictureControls } from '../../domain/text.ts'
import type { AnsweredTurn } from '../../domain/turn.ts'
import type { Manifest } from '../../options/manifest.ts'
import { foldText } from '../../text/fold.ts'
import { isOfPart, type Model } from '../figures/fold.ts'

export function createReviewBook() {
  const questions = new Map<string, Map<string, Review>>()
  const answersTo = (questionId: string): Map<string, Review> => questions.get(questionId) ?? new Map()
  return {
    /** The last review of a question and answer counts. */
    add: (review: Review): void => {
      const answers = answersTo(review.questionId)
      questions.set(review.questionId, answers)
      const key = textKey(review.answer)
      const known = answers.get(key)
      // A map keeps the position of an existing key, but the last review must come last.
      answers.delete(key)
      const isTakenBack = review.made !== undefined && review.review === undefined && review.note === ''
      if (isTakenBack) return
      answers.set(key, known === undefined || review.made !== undefined ? review : merge(known, review))
    },
    current: (): Review[] => [...questions.values()].flatMap((answers) => [...answers.values()]),
    reviewFor: (questionId: string, answer: string): Reviewing => {
      const answers = answersTo(questionId)
      if (answers.size === 0) return { kind: 'new', note: '' }
      // A note without a rating shows that a person saw this answer and has not decided, so no rating is
      // carried over.
      const { review, note = '' } = answers.get(textKey(answer)) ?? {}
      if (review !== undefined) return { kind: 'reviewed', review, note }
      const before = [...answers.values()].findLast(
        (earlier): earlier is RatedReview => earlier.review !== undefined,
      )
      return before === undefined ? { kind: 'new', note } : { kind: 'changed', before, note }
    },
  }
}

/** An empty cell changes nothing, except that a new rating removes the note of the old one. */
function merge(known: Review, { questionId, message, answer, review, note }: Review): Review {
  const isOtherRating = review !== undefined && known.review !== undefined && review !== known.review
  return {
    questionId,
    message: message || known.message,
    answer,
    review: review ?? known.review,
    note: isOtherRating ? note : note || known.note,
  }
}

/** A spreadsheet cell holds 32,767 characters, so texts with an equal beginning count as one. */
const textKey = (text: string): string =>
  foldText(pictureControls(text.slice(0, 30_000)).toWellFormed()).slice(0, 16_000)

export type MergedReviews = ReturnType<typeof mergeReviews>

/**
 * The latest review counts, but a file that is named again does not undo a later one. Every review gets the
 * id that its question has in `questions`.
 */
export function mergeReviews(
  log: readonly Review[],
  named: readonly Review[],
  questions?: readonly ListedQuestion[],
) {
  const pair = questions === undefined ? (review: Review) => review : pairingWith(questions)
  const earlier = log.map(pair)
  // A table does not say when a rating was made, so it repeats any equal one.
  const known = new Set(earlier.flatMap((review) => [keyOf(review), keyOf(review, '')]))
  const fresh = named.map(pair).filter((review) => {
    const isNew = !known.has(keyOf(review))
    // Rows of repeats hold the same review.
    known.add(keyOf(review))
    return isNew
  })
  const book = createReviewBook()
  for (const review of [...earlier, ...fresh]) book.add(review)
  return { book, log: [...earlier, ...fresh], fresh }
}

const keyOf = ({ questionId, answer, review, note, made }: Review, at = made?.at ?? ''): string =>
  JSON.stringify([questionId, textKey(answer), review, note, at])

/**
 * A review belongs to the question with its id and text, else to the only one with its text, else to the one
 * with its id: a spreadsheet changes ids, and sets are renumbered. Without any it stays as it is.
 */
function pairingWith(questions: readonly ListedQuestion[]): (review: Review) => Review {
  const byId = new Map(questions.map((question) => [question.id, question]))
  const byText = new Map<string, ListedQuestion | 'several'>()
  for (const question of questions) {
    const key = textKey(question.message)
    byText.set(key, byText.has(key) ? 'several' : question)
  }
  return (review) => {
    const key = textKey(review.message)
    const withId = byId.get(review.questionId)
    const isSame = withId !== undefined && (review.message === '' || textKey(withId.message) === key)
    const withText = byText.get(key) ?? 'several'
    const question = isSame || withText === 'several' ? withId : withText
    return question === undefined ? review : { ...review, questionId: question.id, message: question.message }
  }
}

/** A part of a set lacks questions that have reviews; of shards, the merged run names what matches none. */
export function unmatchedReviews(
  reviews: MergedReviews | undefined,
  runs: readonly { readonly manifest: Manifest; readonly model: Model }[],
): Message[] {
  if (runs.some(isOfPart)) return []
  const known = new Set(runs.flatMap(({ model }) => model.questions.map((question) => question?.id)))
  const ids = (reviews?.book.current() ?? []).map(({ questionId }) => questionId)
  const unmatched = [...new Set(ids)].filter((id) => !known.has(id))
  const text =
    `Reviews match no question of this run; reviews.csv keeps them. Their ids: ${listNames(unmatched)}. If ` +
    'a spreadsheet changed an id, put it back.'
  return unmatched.length === 0 ? [] : [makeMessage('reviews-unmatched', text)]
}

export const reviewingBy = (reviews: MergedReviews | undefined) =>
  reviews &&
  ((turn: AnsweredTurn): Reviewing =>
    reviews.book.reviewFor(turn.question.id, replyOf(turn.result)?.message ?? ''))

const MAX_AWAITED = 200
const MAX_TEXT_LENGTH = 300

export function createReviewTally() {
  const counts = { reviewed: 0, good: 0, acceptable: 0, poor: 0, changed: 0, new: 0 }
  const awaited: SummaryDetails['awaited'][number][] = []
  return {
    add: (repeats: readonly AnsweredTurn[], reviewingOf: (turn: AnsweredTurn) => Reviewing): void => {
      const answers = new Set<string>()
      for (const turn of repeats) {
        if (turn.outcome !== 'answered' || turn.result?.kind !== 'reply') continue
        const key = foldText(turn.result.reply.message)
        if (answers.has(key)) continue
        answers.add(key)
        const reviewing = reviewingOf(turn)
        counts[reviewing.kind] += 1
        if (reviewing.kind === 'reviewed') counts[reviewing.review] += 1
        if (reviewing.kind !== 'changed' || awaited.length === MAX_AWAITED) continue
        const { before } = reviewing
        const message = turn.question.message.slice(0, MAX_TEXT_LENGTH)
        const note = (reviewing.note || before.note).slice(0, MAX_TEXT_LENGTH)
        awaited.push({ id: turn.question.id, message, before: before.review, note })
      }
    },
    counts,
    awaited: awaited as SummaryDetails['awaited'],
  }
}
