// Turns with their answers, for tests of figures and reports.
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { Question } from '../../src/domain/question.ts'
import type { TurnRecord } from '../../src/domain/turn.ts'
import { makeQuestion } from './questions.ts'

let made = 0

export function makeTurn(more: Partial<TurnRecord> & { question?: Question } = {}): TurnRecord {
  const index = made++
  return {
    index,
    question: makeQuestion(`q${index}`, `t${index}`, 1),
    repeat: 1,
    outcome: 'answered',
    result: makeReply('KNOWLEDGE_BASE'),
    serviceMs: 100,
    waitMs: 0,
    usage: { attempts: 1, certain: 1, possible: 0, notCounted: 0, min: 1, max: 1 },
    rateLimited: 0,
    contextLost: false,
    ...more,
  }
}

export function makeReply(contextSource: string, message = 'An answer.'): AttemptResult {
  return {
    kind: 'reply',
    httpStatus: 200,
    reply: { conversationId: 'c1', message, status: 'success', contextSource },
  }
}
