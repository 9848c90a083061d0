// Which answers wait for a person.
import { expect, test } from 'vitest'
import { createReviewBook, createReviewTally } from '../../../src/analysis/reviews/book.ts'
import type { TurnRecord } from '../../../src/domain/turn.ts'
import { makeQuestion } from '../../support/questions.ts'
import { makeReview } from '../../support/reviews.ts'
import { makeReply, makeTurn } from '../../support/turns.ts'

const turn = (id: string, answer: string): TurnRecord =>
  makeTurn({ question: makeQuestion(id, id, 1), result: makeReply('X', answer) })

test('each distinct answer counts once, errors never; one that differs from a reviewed answer waits', () => {
  const book = createReviewBook()
  for (const [id, answer, said] of [
    ['a', 'One.', 'good'],
    ['b', 'It costs 5 euros.', 'poor: too dear'],
    ['c', 'Yes.', ': hm'],
  ] as const)
    book.add(makeReview(id, answer, said))
  const tally = createReviewTally()
  const reviewingOf = ({ question, result }: TurnRecord) =>
    book.reviewFor(question.id, result?.kind === 'reply' ? result.reply.message : '')
  tally.add([turn('n', 'New.'), turn('n', 'new. '), turn('n', 'Newer.')], reviewingOf)
  tally.add([turn('a', 'One.')], reviewingOf)
  tally.add([turn('b', 'It costs 7 euros.')], reviewingOf)
  tally.add([turn('c', 'Yes.')], reviewingOf)
  tally.add([makeTurn({ outcome: 'timeout', result: undefined })], reviewingOf)
  expect(tally.counts).toEqual({ reviewed: 1, good: 1, acceptable: 0, poor: 0, changed: 1, new: 3 })
  expect(tally.awaited.map(({ id, before, note }) => [id, before, note])).toEqual([['b', 'poor', 'too dear']])
})
