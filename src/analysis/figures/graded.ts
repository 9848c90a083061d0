// The graded questions of a run: each pass reads the answers again, so that none stay in memory.
import type { Row } from '../../domain/changes.ts'
import { ratio } from '../../domain/counts.ts'
import type { JournalRecord, Position } from '../../domain/journal.ts'
import type { Question } from '../../domain/question.ts'
import type { Confirmation, RepeatedQuestion } from '../../domain/summary.ts'
import {
  type AnsweredTurn,
  isGrounded,
  NO_RESULT,
  type PassPolicy,
  type Turn,
  type TurnFacts,
} from '../../domain/turn.ts'
import type { RecordedOptions } from '../../options/manifest.ts'
import { createGrader } from '../grading/grade.ts'
import type { Model, Slot } from './fold.ts'

/** Skips turns whose question is lost. */
export function gradedQuestions(
  { slots, questions, tries }: Model,
  pick: (position: Position) => JournalRecord,
  { groundedSources }: { readonly groundedSources: readonly string[] },
): Iterable<Repeats> {
  const grade = createGrader()
  const read = (slot: Slot, question: Question): AnsweredTurn => {
    const last = slot.outcome === undefined || slot.outcome === 'skipped' ? undefined : slot.last
    const record = last && pick(last.position)
    const result = record?.kind === 'result' ? record.result : undefined
    const turn = { ...slot, ...(last === undefined && NO_RESULT), question, result }
    return Object.assign(turn, grade(turn, result), { readAgain: () => read(slot, question) })
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
  return { [Symbol.iterator]: () => groupRepeats(counted()) }
}

export type Repeats<T = AnsweredTurn> = readonly [T, ...T[]]

export function* groupRepeats<T extends Turn>(turns: Iterable<T>): Generator<Repeats<T>> {
  let repeats: [T, ...T[]] | undefined
  for (const turn of turns) {
    if (repeats?.[0].index === turn.index) {
      repeats.push(turn)
      continue
    }
    if (repeats !== undefined) yield repeats
    repeats = [turn]
  }
  if (repeats !== undefined) yield repeats
}

/** Only graded repeats count; errors have their own gate. Undefined if no repeat was graded. */
export function passes(policy: PassPolicy, turns: readonly TurnFacts[]): boolean | undefined {
  const { passed, failed } = countVerdicts(turns)
  return passed + failed === 0 ? undefined : meetsPolicy(policy, passed, failed)
}

const countVerdicts = (turns: readonly TurnFacts[]) => ({
  passed: turns.filter(({ grade }) => grade === 'passed').length,
  failed: turns.filter(({ grade }) => grade === 'failed').length,
})

export function meetsPolicy(policy: PassPolicy, passed: number, failed: number): boolean {
  switch (policy) {
    case 'all':
      return failed === 0
    case 'majority':
      return passed > failed
    case 'any':
      return passed > 0
  }
}

export function mustPassOf(repeats: Repeats<Turn>, policy: PassPolicy) {
  const { id, message, mustPass } = repeats[0].question
  const failed = repeats.filter(hasFailed).length
  if (!mustPass || failed === 0 || meetsPolicy(policy, repeats.length - failed, failed)) return undefined
  return { id, message, graded: repeats.some(({ grade }) => grade === 'failed') }
}

/**
 * A turn without expectations passes if it is answered with its context. One that was not sent has not
 * failed: the run is incomplete, and reports that.
 */
export const hasFailed = ({ outcome, contextLost, grade }: TurnFacts): boolean =>
  grade === 'failed' || (outcome !== undefined && (outcome !== 'answered' || contextLost))

/** Errors and answers without their context do not count as answers. */
export function summariseRepeats(
  repeats: Repeats<Turn>,
  groundedSources: readonly string[],
): RepeatedQuestion {
  const answers = repeats.flatMap((turn) => isGrounded(turn, groundedSources) ?? [])
  const grounded = answers.filter(Boolean).length
  const { passed, failed } = countVerdicts(repeats)
  const { id, message } = repeats[0].question
  return {
    id,
    message,
    answered: answers.length,
    passRate: ratio(passed, passed + failed),
    groundingRate: ratio(grounded, answers.length),
  }
}

export const isShared = (rate: number | null): boolean => rate !== null && rate > 0 && rate < 1

export const isFlaky = ({ passRate, groundingRate }: RepeatedQuestion): boolean =>
  isShared(passRate) || isShared(groundingRate)

/** Reads outcomes in the baseline from compared rows; what fails now is `known` if it failed there. */
export function baselineOutcomes(rows: readonly Row[], policy: PassPolicy) {
  const fails = (side: Row['candidate']): boolean =>
    side !== null && side.passRate !== null && !meetsPolicy(policy, side.passRate, 1 - side.passRate)
  // An edited question is another one: that its old text failed excuses nothing.
  const both = rows.filter(({ presence }) => presence === 'both')
  const before = both.flatMap(({ id, baseline }) =>
    baseline?.outcome !== 'answered' ? [] : [[id, fails(baseline) ? 'failed' : 'passed'] as const],
  )
  const known = both.filter(
    ({ baseline, candidate, mustPass }) => fails(candidate) && fails(baseline) && !mustPass,
  )
  return { before: new Map(before), known: known.length }
}

export const failedSince = (rows: readonly Row[]): number[] =>
  rows.flatMap(({ presence, kinds, candidate }) => {
    const isWorse = kinds.includes('groundingLost') || kinds.includes('passToFail')
    return presence === 'both' && isWorse && candidate !== null ? [candidate.index] : []
  })

/** Finds failed `must_pass` questions: no other failure is known to be new without a baseline. */
export const failedMustPass = (questions: Iterable<Repeats>, policy: PassPolicy): number[] =>
  [...questions].flatMap((repeats) => (mustPassOf(repeats, policy) === undefined ? [] : [repeats[0].index]))

/** Whatever failed may be new where there is a baseline, and be sent again at the end. */
export function mayBeConfirmed(turn: Turn, options: RecordedOptions): boolean {
  const { confirm, baseline, groundedSources } = options
  if (confirm === 0) return false
  if (turn.question.mustPass && hasFailed(turn)) return true
  return baseline !== null && (turn.grade === 'failed' || isGrounded(turn, groundedSources) === false)
}

/** Takes the first answer that is as most are: a failure stands if more than half fail, or lack grounding. */
export function countedTry(
  first: AnsweredTurn,
  again: readonly AnsweredTurn[],
  groundedSources: readonly string[],
): AnsweredTurn {
  const isAnswer = (turn: Turn): boolean => isGrounded(turn, groundedSources) !== undefined
  // A turn after an error was not sent, and says nothing.
  const wasSent = ({ outcome }: Turn): boolean => outcome !== undefined && outcome !== 'skipped'
  // An error confirms no answer.
  const tries = [first, ...again.filter(isAnswer(first) ? isAnswer : wasSent)]
  if (tries.length === 1) return first
  const isUngrounded = ungroundedBy(groundedSources)
  const isMajority = (test: (turn: Turn) => boolean) => tries.filter(test).length > tries.length / 2
  const [failed, ungrounded] = [isMajority(hasFailed), isMajority(isUngrounded)]
  const alike = tries.filter((turn) => hasFailed(turn) === failed)
  const counted = alike.find((turn) => isUngrounded(turn) === ungrounded) ?? alike[0] ?? first
  // It stands for the question: in the place of its first answer, with what all of them cost.
  const { repeat, certain, possible, notCounted, rateLimited } = first
  return { ...counted, repeat, certain, possible, notCounted, rateLimited, tries }
}

/** An error is not grounded either. */
const ungroundedBy =
  (groundedSources: readonly string[]) =>
  (turn: Turn): boolean =>
    isGrounded(turn, groundedSources) !== true

export function confirmationOf(
  turn: AnsweredTurn,
  groundedSources: readonly string[],
): Confirmation | undefined {
  const { tries = [], question } = turn
  const [first] = tries
  if (first === undefined) return undefined
  const isUngrounded = ungroundedBy(groundedSources)
  return {
    id: question.id,
    message: question.message,
    answers: tries.length,
    failed: tries.filter(hasFailed).length,
    ungrounded: tries.filter(isUngrounded).length,
    confirmed: hasFailed(first) ? hasFailed(turn) : isUngrounded(turn),
  }
}
