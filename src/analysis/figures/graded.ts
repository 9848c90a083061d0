// The graded questions of a run: each pass reads the answers again, so that none stay in memory.
import type { JournalRecord, Position } from '../../domain/journal.ts'
import type { Question } from '../../domain/question.ts'
import { type AnsweredTurn, NO_RESULT, type PassPolicy } from '../../domain/turn.ts'
import { countedTry } from './confirm.ts'
import type { Model } from './fold.ts'
import { grade } from '../grading/grade.ts'
import { createRegexMatcher } from '../grading/regex-with-deadline.ts'
import { groupRepeats, type Repeats, tolerateFailures } from './repeats.ts'
import type { Slot } from './slots.ts'

export interface Grading {
  readonly passPolicy: PassPolicy
  readonly groundedSources: readonly string[]
}

/** Skips turns whose question is lost. */
export function gradedQuestions(
  { slots, questions, tries }: Model,
  pick: (position: Position) => JournalRecord,
  { passPolicy, groundedSources }: Grading,
): Iterable<Repeats> {
  const matches = createRegexMatcher()
  const read = (slot: Slot, question: Question): AnsweredTurn => {
    const last = slot.outcome === undefined || slot.outcome === 'skipped' ? undefined : slot.last
    const record = last && pick(last.position)
    const result = record?.kind === 'result' ? record.result : undefined
    const turn = { ...slot, ...(last === undefined && NO_RESULT), question, result }
    return Object.assign(turn, grade(turn, { matches }), { readAgain: () => read(slot, question) })
  }
  const graded = function* (some: readonly Slot[]): Generator<AnsweredTurn> {
    for (const slot of some) {
      const question = questions[slot.index]
      if (question !== undefined) yield read(slot, question)
    }
  }
  const counted = function* (): Generator<AnsweredTurn> {
    for (const first of graded(slots))
      yield countedTry(first, [...graded(tries.get(first.index) ?? [])], groundedSources)
  }
  return {
    *[Symbol.iterator]() {
      for (const repeats of groupRepeats(counted())) yield tolerateFailures(repeats, passPolicy)
    },
  }
}
