// Which questions that must pass have not, going by the journal, and how often they may still be asked to confirm it.
import { grade } from '../../analysis/grading/grade.ts'
import { mustPassOf } from '../../analysis/must-pass.ts'
import type { RunIndex } from '../../analysis/run-index.ts'
import { confirmationsOf, turnRecords } from '../../analysis/turn-records.ts'
import type { GradedTurn } from '../../domain/graded-turn.ts'
import type { JournalRecord } from '../../domain/journal.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { Question } from '../../domain/question.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import type { Place } from '../../journal/read.ts'
import { createRegexMatcher } from '../regex-with-deadline.ts'

/** A question that must pass, and has not so far. */
export interface Unconfirmed {
  readonly turn: TurnRecord
  /** Else it is still to be asked. */
  readonly hasFailed: boolean
  /** How often it may still be asked to confirm it. */
  readonly rounds: number
}

export function hasMustPass(questions: Iterable<Question | undefined>): boolean {
  for (const question of questions) if (question?.mustPass === true) return true
  return false
}

/** The first turn of each question that must pass, has not, and may be asked once more; those not asked so far among them. */
export function* findUnconfirmed(
  index: RunIndex<Place>,
  pick: (place: Place) => JournalRecord,
  { options: { gates, repeat } }: Manifest,
): Generator<Unconfirmed> {
  const matches = createRegexMatcher()
  const grading = (turn: TurnRecord): GradedTurn => ({ turn, grade: grade(turn, { matches }) })
  const confirmations = confirmationsOf(index, pick)
  let repeats: GradedTurn[] = []
  for (const turn of turnRecords(index, pick)) {
    if (!turn.question.mustPass) continue
    repeats.push(grading(turn))
    if (repeats.length < repeat) continue
    const again = repeats.flatMap((one) => confirmations(one.turn)).map(grading)
    const result = mustPassOf({ repeats, confirmations: again }, gates.passPolicy)
    const first = repeats[0]?.turn
    const isOpen = repeats.some((one) => one.turn.outcome === undefined)
    repeats = []
    if (first === undefined || result?.confirmed === true) continue
    const hasFailed = result !== undefined
    const rounds = gates.confirm - (hasFailed ? result.confirmations + result.errors : 0)
    if ((hasFailed || isOpen) && rounds > 0) yield { turn: first, hasFailed, rounds }
  }
}
