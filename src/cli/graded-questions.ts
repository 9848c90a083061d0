// The questions of a recorded run with their answers, graded by today's grader: read from the journal as they are asked for.
import { askedQuestions, type Asked } from '../analysis/asked.ts'
import { grade } from '../analysis/grading/grade.ts'
import type { RunIndex } from '../analysis/run-index.ts'
import { confirmationsOf, turnRecords } from '../analysis/turn-records.ts'
import type { GateOptions } from '../domain/gate.ts'
import type { GradedTurn } from '../domain/graded-turn.ts'
import type { TurnRecord } from '../domain/turn.ts'
import type { Place, RecordPicker } from '../journal/read.ts'
import { createRegexMatcher } from './regex-with-deadline.ts'

export interface GradedQuestions {
  /** In the order of the set; reads the journal anew each time. */
  readonly questions: () => Generator<Asked>
  readonly grade: (turn: TurnRecord) => GradedTurn
}

export function gradedQuestions(
  index: RunIndex<Place>,
  pick: RecordPicker['pick'],
  policy: GateOptions['passPolicy'],
): GradedQuestions {
  const matches = createRegexMatcher()
  const grading = (turn: TurnRecord): GradedTurn => ({ turn, grade: grade(turn, { matches }) })
  const confirmations = confirmationsOf(index, pick)
  const again = ({ turn }: GradedTurn): GradedTurn[] =>
    turn.question.mustPass ? confirmations(turn).map(grading) : []
  const turns = function* (): Generator<GradedTurn> {
    for (const turn of turnRecords(index, pick)) yield grading(turn)
  }
  return { questions: () => askedQuestions(turns(), again, policy), grade: grading }
}
