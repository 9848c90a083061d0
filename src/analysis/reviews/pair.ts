// Finds the question of a review in a run that has other ids: a spreadsheet changed them, or the set was
// renumbered.
import type { Review } from '../../domain/review.ts'
import { textKey, textKeys } from './text-key.ts'

/** The run that reviews are carried to. */
export interface ReviewedRun {
  readonly questions: readonly { readonly id: string; readonly message: string }[]
  /** Read only if a review has no question of its own: the answers lie in the journal. */
  readonly answers: () => Iterable<{ readonly id: string; readonly answer: string }>
}

/**
 * Returns a function that gives a review the id and the text of its question:
 * 1. the one with its id, and with its text if the review has one;
 * 2. else, with a text, the only question with this text, or the only one of them with this answer;
 * 3. else, without a text, the only question with this answer, unless reviews of other unknown ids have it,
 * too. A review without such a question stays as it is.
 */
export function pairingWith(run: ReviewedRun, reviews: readonly Review[]): (review: Review) => Review {
  const byId = new Map(run.questions.map((question) => [question.id, question]))
  const isOwn = ({ questionId, message }: Review): boolean => {
    const own = byId.get(questionId)
    return own !== undefined && (message === '' || textKeys(own.message).includes(textKey(message)))
  }
  const open = reviews.filter((review) => !isOwn(review))
  const wanted = new Set(open.map(({ answer }) => textKey(answer)))
  const answers = open.length === 0 ? [] : run.answers()
  const holders = idsByKey(answers, ({ answer }) => textKeys(answer).filter((key) => wanted.has(key)))
  const nameless = open.filter(({ message }) => message === '').map((one) => ({ ...one, id: one.questionId }))
  const claims = idsByKey(nameless, ({ answer }) => [textKey(answer)])
  const alike = idsByKey(open.length === 0 ? [] : run.questions, ({ message }) => textKeys(message))

  const idOf = (review: Review): string | undefined => {
    if (isOwn(review)) return review.questionId
    const key = textKey(review.answer)
    const withAnswer = holders.get(key) ?? NONE
    if (review.message === '') return claims.get(key)?.size === 1 ? only(withAnswer) : undefined
    const withText = alike.get(textKey(review.message)) ?? NONE
    return only(withText) ?? only(new Set([...withText].filter((id) => withAnswer.has(id))))
  }
  return (review) => {
    const found = byId.get(idOf(review) ?? '')
    return found === undefined ? review : { ...review, questionId: found.id, message: found.message }
  }
}

const NONE: ReadonlySet<string> = new Set()

const only = (ids: ReadonlySet<string>): string | undefined => (ids.size === 1 ? [...ids][0] : undefined)

/** Ids by each of their keys. */
function idsByKey<T extends { readonly id: string }>(
  items: Iterable<T>,
  keysOf: (item: T) => readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>()
  for (const item of items)
    for (const key of keysOf(item)) ids.set(key, (ids.get(key) ?? new Set()).add(item.id))
  return ids
}
