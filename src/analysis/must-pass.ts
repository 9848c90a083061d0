// Questions that must pass, over their repeats and confirmations.
import type { MustPassResult } from '../domain/gate.ts'
import type { Asked } from './asked.ts'
import { mustPassFailure } from './grading/must-pass.ts'
import type { PassPolicy } from '../domain/gate.ts'
import { suffices } from './pass-policy.ts'

/** Undefined where the question need not pass, or has passed at once. */
export function mustPassOf(
  { repeats, confirmations }: Asked,
  policy: PassPolicy,
): MustPassResult | undefined {
  const failures = repeats.map(({ turn, grade }) => mustPassFailure(turn, grade))
  const failed = failures.filter((failure) => failure !== undefined)
  const [reason] = failed
  const [first] = repeats
  if (first === undefined || reason === undefined) return undefined
  if (suffices(policy, failures.length - failed.length, failed.length)) return undefined
  // What was cut off before it had an outcome has confirmed nothing, and is asked again.
  const done = confirmations.filter(({ turn }) => turn.outcome !== undefined)
  const answered = done.filter(({ turn }) => turn.outcome === 'answered' && !turn.contextLost)
  return {
    id: first.turn.question.id,
    reason,
    graded: repeats.some(({ grade }) => grade.kind === 'failed'),
    confirmations: answered.length,
    errors: done.length - answered.length,
    confirmed: answered.some(({ turn, grade }) => mustPassFailure(turn, grade) === undefined),
  }
}
