// A question with everything that was answered to it: its repeats, and what confirmed them.
import type { MustPassResult, PassPolicy } from '../domain/gate.ts'
import type { GradedTurn } from '../domain/turn.ts'
import { mustPassFailure } from './grading/must-pass.ts'
import { passes, suffices } from './pass-policy.ts'

export interface Asked {
  /** In the order of asking; never empty. */
  readonly repeats: readonly GradedTurn[]
  /** The question asked again in fresh conversations, after its first answers had not passed. */
  readonly confirmations: readonly GradedTurn[]
}

/** Gathers turns, repeats of a question one after the other, into questions. */
export function* askedQuestions(
  turns: Iterable<GradedTurn>,
  confirmationsOf: (graded: GradedTurn) => readonly GradedTurn[],
  policy: PassPolicy,
): Generator<Asked> {
  let repeats: GradedTurn[] = []
  let confirmations: GradedTurn[] = []
  for (const graded of turns) {
    if (repeats.length > 0 && repeats[0]?.turn.index !== graded.turn.index) {
      yield forgive({ repeats, confirmations }, policy)
      ;[repeats, confirmations] = [[], []]
    }
    repeats.push(graded)
    confirmations.push(...confirmationsOf(graded))
  }
  if (repeats.length > 0) yield forgive({ repeats, confirmations }, policy)
}

/** Reports must not call a failure what the gate does not. */
function forgive(asked: Asked, policy: PassPolicy): Asked {
  const { repeats } = asked
  if (!repeats.some(({ grade }) => grade.kind === 'failed')) return asked
  const isConfirmed = mustPassOf(asked, policy)?.confirmed === true
  const hasPassed = passes(
    policy,
    repeats.map(({ grade }) => grade),
  )
  if (!isConfirmed && hasPassed !== true) return asked
  const forgiven = isConfirmed ? 'it passed when asked again' : 'enough of its answers passed'
  return {
    ...asked,
    repeats: repeats.map((one) => (one.grade.kind === 'failed' ? { ...one, forgiven } : one)),
  }
}

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
