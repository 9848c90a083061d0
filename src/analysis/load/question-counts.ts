// Answers by question, however often each was asked: what coverage and its interval over threads are made of.
import type { Coverage } from '../../domain/summary.ts'
import { coverageOf, type LostTurns, type ThreadTally } from '../coverage.ts'

export interface QuestionCounts {
  /** An answer with its context. */
  add(question: number, isGrounded: boolean): void
  /** `threadOf`: which thread of the set a question stands in. */
  coverage(threadOf: (question: number) => number, lost: LostTurns): Coverage
}

type Open = { -readonly [K in keyof ThreadTally]: ThreadTally[K] }

/** Memory grows with the set, not with the calls. */
export function createQuestionCounts(): QuestionCounts {
  const questions = new Map<number, { answered: number; grounded: number }>()
  return {
    add: (question, isGrounded) => {
      let known = questions.get(question)
      if (known === undefined) questions.set(question, (known = { answered: 0, grounded: 0 }))
      known.answered += 1
      if (isGrounded) known.grounded += 1
    },
    coverage: (threadOf, lost) => {
      const threads = new Map<number, Open>()
      for (const [question, { answered, grounded }] of questions) {
        const thread = threadOf(question)
        const tally = threads.get(thread) ?? { grounded: 0, answered: 0, questions: 0, squares: 0 }
        threads.set(thread, tally)
        tally.answered += answered
        tally.grounded += grounded
        tally.questions += 1
        tally.squares += answered ** 2
      }
      return coverageOf([...threads.values()], lost)
    },
  }
}
