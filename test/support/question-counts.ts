// Counts of questions for tests of what is said of them.
import { createQuestionCounter } from '../../src/analysis/question-counts.ts'
import type { QuestionCounts } from '../../src/domain/summary.ts'
import type { TurnRecord } from '../../src/domain/turn.ts'

const NOTHING = { gaps: 0, clustered: 0, wrong: 0, flaky: 0 }

/** Each turn is a question of its own, without expectations. */
export function countTurns(turns: readonly TurnRecord[], more: Partial<QuestionCounts> = {}): QuestionCounts {
  const counter = createQuestionCounter(['KNOWLEDGE_BASE'])
  for (const turn of turns) counter.add([{ turn, grade: { kind: 'none' } }])
  return { ...counter.finish(turns.length, NOTHING), ...more }
}

export const makeCounts = (more: Partial<QuestionCounts> = {}): QuestionCounts => countTurns([], more)
