// A question with everything that was answered to it.
import type { MustPassResult, PassPolicy } from '../domain/gate.ts'
import type { GradedTurn } from '../domain/turn.ts'
import { mustPassFailure } from './grading/must-pass.ts'
import { passes, suffices } from './pass-policy.ts'

/** The repeats of a question in the order of sending; never empty. */
export type Asked = readonly GradedTurn[]

/** Gathers turns, repeats of a question one after the other, into questions. */
export function* askedQuestions(turns: Iterable<GradedTurn>, policy: PassPolicy): Generator<Asked> {
  let repeats: GradedTurn[] = []
  for (const graded of turns) {
    if (repeats.length > 0 && repeats[0]?.turn.index !== graded.turn.index) {
      yield forgive(repeats, policy)
      repeats = []
    }
    repeats.push(graded)
  }
  if (repeats.length > 0) yield forgive(repeats, policy)
}

/** Reports must not call a failure what the gate does not. */
function forgive(repeats: Asked, policy: PassPolicy): Asked {
  const grades = repeats.map(({ grade }) => grade)
  const isForgiven = grades.some(({ kind }) => kind === 'failed') && passes(policy, grades) === true
  if (!isForgiven) return repeats
  return repeats.map((one) =>
    one.grade.kind === 'failed' ? { ...one, forgiven: 'enough of its answers passed' } : one,
  )
}

/** Undefined where the question need not pass, or has passed. */
export function mustPassOf(repeats: Asked, policy: PassPolicy): MustPassResult | undefined {
  const failures = repeats.map(({ turn, grade }) => mustPassFailure(turn, grade))
  const failed = failures.filter((failure) => failure !== undefined)
  const [reason] = failed
  const [first] = repeats
  if (first === undefined || reason === undefined) return undefined
  if (suffices(policy, failures.length - failed.length, failed.length)) return undefined
  const graded = repeats.some(({ grade }) => grade.kind === 'failed')
  return { id: first.turn.question.id, reason, graded }
}
