// The repeats of a question: whether it passes under the pass policy, and whether it is flaky.
import type { RepeatedQuestion } from '../../domain/summary.ts'
import {
  type AnsweredTurn,
  isGrounded,
  type PassPolicy,
  type Turn,
  type TurnFacts,
} from '../../domain/turn.ts'
import { ratio } from './turns.ts'

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

/** Marks failed repeats of a question that passes, so that reports and the gate agree. */
export function tolerateFailures(repeats: Repeats, policy: PassPolicy): Repeats {
  if (passes(policy, repeats) !== true) return repeats
  const tolerate = (turn: AnsweredTurn): AnsweredTurn =>
    turn.grade === 'failed' ? { ...turn, isTolerated: true } : turn
  const [first, ...others] = repeats
  return [tolerate(first), ...others.map(tolerate)]
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
