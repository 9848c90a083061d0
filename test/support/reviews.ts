// Reviews made for a test.
import type { Review, Rating } from '../../src/domain/review.ts'

/** `good`, `poor: too short`, `: only a note`. */
export function makeReview(questionId: string, answer: string, said: string): Review {
  const [word = '', note = ''] = said.split(': ')
  return {
    questionId,
    answer,
    review: word === '' ? undefined : (word as Rating),
    note: said.startsWith(': ') ? said.slice(2) : note,
  }
}
