// Gaps and wrong answers picked out of a run's turns.
import { expect, test } from 'vitest'
import { createGapGatherer, wrongAnswerOf } from '../../../src/analysis/gaps/gather.ts'
import type { Grade, TurnRecord } from '../../../src/domain/turn.ts'
import { makeQuestion } from '../../support/questions.ts'
import { makeReply, makeTurn } from '../../support/turns.ts'

const opening = makeQuestion('a', 't', 1, { message: 'How do I book a desk?', tags: ['facilities'] })
const followUp = makeQuestion('b', 't', 2, { message: 'And for two?' })
const turn = (index: number, question: TurnRecord['question'], source: string, repeat = 1): TurnRecord =>
  makeTurn({ index, question, repeat, result: makeReply(source, 'Ask the desk.') })

test('a gap weighs as often as its answers were none of the knowledge base, and knows how its thread began', () => {
  const gatherer = createGapGatherer(['KNOWLEDGE_BASE'])
  for (const source of ['KNOWLEDGE_BASE', 'MODEL', 'MODEL']) gatherer.add(turn(0, opening, source))
  for (const source of ['MODEL', 'MODEL']) gatherer.add(turn(1, followUp, source))
  gatherer.add(
    makeTurn({ index: 1, question: followUp, outcome: 'timeout', result: { kind: 'timeout', message: 'm' } }),
  )
  gatherer.add(turn(2, makeQuestion('c', 'u', 1), 'KNOWLEDGE_BASE'))
  gatherer.add(
    makeTurn({
      index: 3,
      question: makeQuestion('d', 'v', 1),
      contextLost: true,
      result: makeReply('MODEL'),
    }),
  )
  expect(gatherer.finish().heaviest).toEqual([
    { id: 'a', message: 'How do I book a desk?', tags: ['facilities'], weight: 2 / 3 },
    { id: 'b', message: 'And for two?', tags: [], weight: 1, context: 'How do I book a desk?' },
  ])
})

test('a wrong answer is a grounded one that failed', () => {
  const failed: Grade = {
    kind: 'failed',
    failures: [{ expectation: 'expect_contains', sentence: 'does not contain it' }],
  }
  const wrong = (source: string, grade: Grade): unknown =>
    wrongAnswerOf(turn(0, opening, source, 2), grade, ['KNOWLEDGE_BASE'])
  expect(wrong('KNOWLEDGE_BASE', failed)).toEqual({
    id: 'a',
    message: 'How do I book a desk?',
    repeat: 2,
    answer: 'Ask the desk.',
    failures: ['does not contain it'],
  })
  expect(wrong('MODEL', failed)).toBeUndefined()
  expect(wrong('KNOWLEDGE_BASE', { kind: 'passed' })).toBeUndefined()
})
