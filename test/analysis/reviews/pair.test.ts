// Protects the pairing of reviews with the questions of a run that has other ids.
import { expect, test } from 'vitest'
import { pairingWith } from '../../../src/analysis/reviews/pair.ts'
import type { Review } from '../../../src/domain/review.ts'

const FOUND_NOTHING = 'I found nothing.'
/** Ids, texts and answers of a run. */
const TURNS = [
  ['001', 'How many days of leave?', 'You have 28 days → see the intranet.'],
  ['1-2', 'How do I get a badge?', FOUND_NOTHING],
  ['5', 'Where is the printer?', 'On floor 2.'],
  ['6', 'Where is the canteen?', FOUND_NOTHING],
  ['7', 'And there?', 'On floor 1.'],
  ['8', 'And there?', 'On floor 2.'],
] as const
const RUN = {
  questions: TURNS.map(([id, message]) => ({ id, message })),
  answers: () => TURNS.map(([id, , answer]) => ({ id, answer })),
}
const reviewOf = (id: string, message: string, answer: string): Review => ({
  questionId: id,
  message,
  answer,
  review: 'good',
  note: '',
})

test.each<[string, string, string, string, string]>([
  ['an id of the run', '5', '', 'Another answer.', '5'],
  ['an id with its text, whatever the answer', '5', 'WHERE is the printer?', 'Another answer.', '5'],
  ['an unknown id and the only such answer', '1', '', 'you have 28 days ? see the  intranet.', '001'],
  ['an unknown id and an answer of two questions', '01. Feb', '', FOUND_NOTHING, '01. Feb'],
  ['an unknown id and an unknown answer', '9', '', 'On floor 9.', '9'],
  ['an unknown id with a text, whatever the answer', '01. Feb', 'How do I get a badge?', 'Ask.', '1-2'],
  ['the id of another question with a text', '6', 'Where is the printer?', 'On floor 3.', '5'],
  ['a text of two questions, and the answer of one', '99', 'And there?', 'On floor 1.', '7'],
  ['a text of two questions, and another answer', '99', 'And there?', 'On floor 3.', '99'],
  ['an edited question, which keeps its id', '5', 'Where is the old printer?', 'On floor 2.', '5'],
  ['a removed question with the answer of another', '9', 'Where is the bin?', 'On floor 1.', '9'],
])('%s: %s %j %j belongs to %s', (_, id, message, answer, expected) => {
  const review = reviewOf(id, message, answer)
  const paired = pairingWith(RUN, [review])(review)
  expect(paired.questionId).toBe(expected)
  const text = TURNS.find(([known]) => known === paired.questionId && known !== id)?.[1]
  expect(paired).toMatchObject({ answer, ...(text === undefined ? {} : { message: text }) })
})

test('reviews of two unknown ids with one answer are not given to the only question with it', () => {
  const reviews = [reviewOf('x', '', 'On floor 1.'), reviewOf('y', '', 'On floor 1.')]
  expect(reviews.map(pairingWith(RUN, reviews))).toEqual(reviews)
})

test('answers are not read if every review has its question', () => {
  const unread = (): never => {
    throw new Error('read')
  }
  const review = reviewOf('5', '', '')
  expect(pairingWith({ ...RUN, answers: unread }, [review])(review).message).toBe('Where is the printer?')
})
