// The questions of a run, graded: each pass reads the answers from the journals again, so that none stay in
// memory.
import type { JournalRecord, Position } from '../domain/journal.ts'
import type { GradedTurn, PassPolicy } from '../domain/turn.ts'
import type { Model } from './fold.ts'
import { grade } from './grading/grade.ts'
import { createRegexMatcher } from './grading/regex-with-deadline.ts'
import { groupRepeats, type Repeats } from './repeats.ts'
import { turnRecords } from './turns.ts'

/** In the order of the set. `pick`: reads a record again. */
export function gradedQuestions(
  model: Pick<Model, 'slots' | 'questions'>,
  pick: (position: Position) => JournalRecord,
  policy: PassPolicy,
): Iterable<Repeats> {
  const matches = createRegexMatcher()
  const turns = function* (): Generator<GradedTurn> {
    for (const turn of turnRecords(model, pick)) yield { turn, grade: grade(turn, { matches }) }
  }
  return { [Symbol.iterator]: () => groupRepeats(turns(), policy) }
}
