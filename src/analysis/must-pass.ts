// Questions that must pass, over their repeats and confirmations.
import type { GateOptions, MustPassResult } from '../domain/gate.ts'
import type { GradedTurn } from '../domain/graded-turn.ts'
import { mustPassFailure } from './grading/must-pass.ts'

export interface Asked {
  readonly repeats: readonly GradedTurn[]
  /** The question asked again in fresh conversations, after its first answers had not passed. */
  readonly confirmations: readonly GradedTurn[]
}

/** Undefined where the question need not pass, or has passed at once. */
export function mustPassOf(
  { repeats, confirmations }: Asked,
  policy: GateOptions['passPolicy'],
): MustPassResult | undefined {
  const failures = repeats.map(({ turn, grade }) => mustPassFailure(turn, grade))
  const failed = failures.filter((failure) => failure !== undefined)
  const [reason] = failed
  const [first] = repeats
  if (first === undefined || reason === undefined || keeps(policy, failures.length, failed.length))
    return undefined
  return {
    id: first.turn.question.id,
    reason,
    confirmations: confirmations.length,
    confirmed: confirmations.some(
      ({ turn, grade }) => turn.outcome !== undefined && mustPassFailure(turn, grade) === undefined,
    ),
  }
}

function keeps(policy: GateOptions['passPolicy'], asked: number, failed: number): boolean {
  if (policy === 'all') return failed === 0
  return policy === 'majority' ? failed * 2 < asked : failed < asked
}
