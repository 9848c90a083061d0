// The questions of a run, graded: each pass reads the answers from the journals again, so that none stay in
// memory.
import type { JournalRecord, Position } from '../domain/journal.ts'
import type { GradedTurn, PassPolicy } from '../domain/turn.ts'
import { countedTry } from './confirm.ts'
import type { Model } from './fold.ts'
import { grade } from './grading/grade.ts'
import { createRegexMatcher } from './grading/regex-with-deadline.ts'
import { groupRepeats, type Repeats } from './repeats.ts'
import { groupBy, turnRecords } from './turns.ts'

export interface Grading {
  readonly passPolicy: PassPolicy
  readonly groundedSources: readonly string[]
}

/** In the order of the set. `pick`: reads a record again. */
export function gradedQuestions(
  model: Pick<Model, 'slots' | 'questions' | 'confirming' | 'confirmed'>,
  pick: (position: Position) => JournalRecord,
  { passPolicy, groundedSources }: Grading,
): Iterable<Repeats> {
  const { questions, confirming, confirmed } = model
  const matches = createRegexMatcher()
  const graded = function* (slots: Model['slots']): Generator<GradedTurn> {
    for (const turn of turnRecords({ questions, slots }, pick))
      yield { turn, grade: grade(turn, { matches }) }
  }
  const again = groupBy(
    confirming.filter(({ index }) => confirmed.has(index)),
    ({ index }) => String(index),
  )
  const counted = function* (): Generator<GradedTurn> {
    for (const first of graded(model.slots)) {
      const tries = again.get(String(first.turn.index)) ?? []
      yield countedTry(first, [...graded(tries)], groundedSources)
    }
  }
  return { [Symbol.iterator]: () => groupRepeats(counted(), passPolicy) }
}
