// Turns with their answers, for tests of figures and reports.
import { type AttemptResult, factsOf } from '../../src/domain/attempt.ts'
import type { Question } from '../../src/domain/question.ts'
import { type AnsweredTurn, unsentTurn } from '../../src/domain/turn.ts'
import { makeQuestion } from './questions.ts'

let made = 0

export function makeTurn(more: Partial<AnsweredTurn> & { question?: Question } = {}): AnsweredTurn {
  const index = made++
  const { result } = { result: makeReply('KNOWLEDGE_BASE'), ...more }
  const turn: AnsweredTurn = {
    ...unsentTurn(index, makeQuestion(`q${index}`, `t${index}`, 1), 1),
    outcome: 'answered',
    facts: factsOf(result),
    result,
    readAgain: () => turn,
    failures: [],
    serviceMs: 100,
    waitMs: 0,
    certain: 1,
    ...more,
  }
  return turn
}

export function makeReply(contextSource: string, message = 'An answer.'): AttemptResult {
  return {
    kind: 'reply',
    httpStatus: 200,
    reply: { conversationId: 'c1', message, status: 'success', contextSource },
  }
}
