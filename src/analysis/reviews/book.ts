// What people think of answers, by question: reviews go in, and what is known of an answer comes out.
import type { Review, Reviewing, ReviewWord, WordedReview } from '../../domain/review.ts'
import { answerText, isSameAnswer, type AnswerText } from './answer-text.ts'

export interface ReviewBook {
  /** Of one question and answer the review added last stands. Returns the word that it stands instead of, if another. */
  add(review: Review): ReviewWord | undefined
  /** Whether an answer to the question was reviewed or noted. */
  knows(questionId: string): boolean
  /** How many answers were. */
  readonly size: number
  /** What stands now, one an answer; of each question in the order in which it was said. */
  standing(): Review[]
  readonly reviewFor: (questionId: string, answer: string) => Reviewing
}

interface Entry {
  readonly review: Review
  readonly text: AnswerText
}

/** Nothing is read or written; the reviews' texts stay in memory. */
export function createReviewBook(): ReviewBook {
  /** By question, in the order in which they were said. */
  const questions = new Map<string, Map<string, Entry>>()
  let size = 0
  return {
    add: (review) => {
      const entries = questions.get(review.questionId) ?? new Map<string, Entry>()
      questions.set(review.questionId, entries)
      const text = answerText(review.answer)
      const known = find(entries, text)
      if (known === undefined) size += 1
      // A map keeps the first place of a key: what is said again is said last.
      else entries.delete(known.text.key)
      const merged = merge(known?.review, review)
      const whole = merged.answer === review.answer ? text : answerText(merged.answer)
      entries.set(whole.key, { review: merged, text: whole })
      const was = known?.review.review
      return was === merged.review ? undefined : was
    },
    knows: (questionId) => questions.has(questionId),
    get size() {
      return size
    },
    standing: () =>
      [...questions.values()].flatMap((entries) => [...entries.values()].map(({ review }) => review)),
    reviewFor: (questionId, answer) => {
      const entries = questions.get(questionId)
      if (entries === undefined) return { kind: 'new', note: '' }
      const known = find(entries, answerText(answer))
      return known === undefined
        ? waiting([...entries.values()], '')
        : byText(known.review, [...entries.values()])
    },
  }
}

/** The answer's key is found at once; one that was cut or re-coded is looked for. */
const find = (entries: ReadonlyMap<string, Entry>, text: AnswerText): Entry | undefined =>
  entries.get(text.key) ?? [...entries.values()].findLast((entry) => isSameAnswer(entry.text, text))

/** An empty cell says nothing; but a note explains its word, and goes when the word does. */
function merge(known: Review | undefined, { questionId, answer, review, note }: Review): Review {
  if (known === undefined) return { questionId, answer, review, note }
  const staysWord = review === undefined || known.review === undefined || review === known.review
  return {
    questionId,
    // Of two the whole one: the other was cut.
    answer: known.answer.length > answer.length ? known.answer : answer,
    review: review ?? known.review,
    note: note === '' && staysWord ? known.note : note,
  }
}

function byText({ review, note }: Review, entries: readonly Entry[]): Reviewing {
  // A note without its word: somebody saw this answer and has not decided, so no word comes from elsewhere.
  return review === undefined ? waiting(entries, note) : { kind: 'reviewed', review, note }
}

function waiting(entries: readonly Entry[], note: string): Reviewing {
  const before = entries.map(({ review }) => review).findLast(isWorded)
  return before === undefined ? { kind: 'new', note } : { kind: 'changed', before, note }
}

const isWorded = (review: Review): review is WordedReview => review.review !== undefined
