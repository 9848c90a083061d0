// Reviews for tests.
import type { Review, ReviewWord } from '../../src/domain/review.ts'

/** `said` is `good`, `poor: too short` or `: only a note`. */
export function makeReview(questionId: string, answer: string, said: string): Review {
  const [word = '', note = ''] = said.split(': ')
  return {
    questionId,
    answer,
    review: word === '' ? undefined : (word as ReviewWord),
    note: said.startsWith(': ') ? said.slice(2) : note,
  }
}
