// The repeats of a question: whether it passed by the pass policy, and whether it is flaky.
import type { MustPassResult, RepeatedQuestion } from '../domain/summary.ts'
import { type Grade, type GradedTurn, isGrounded, type PassPolicy } from '../domain/turn.ts'
import { isShared } from '../domain/changes.ts'
import { ratio } from './turns.ts'

/** The repeats of a question in the order of sending. */
export type Repeats<T = GradedTurn> = readonly [T, ...T[]]

/** By question; the repeats of a question come one after the other. */
export function* groupRepeats(turns: Iterable<GradedTurn>, policy: PassPolicy): Generator<Repeats> {
  let repeats: [GradedTurn, ...GradedTurn[]] | undefined
  for (const graded of turns) {
    if (repeats?.[0].turn.index === graded.turn.index) {
      repeats.push(graded)
      continue
    }
    if (repeats !== undefined) yield forgive(repeats, policy)
    repeats = [graded]
  }
  if (repeats !== undefined) yield forgive(repeats, policy)
}

/** Reports must not call a failure what the gate does not. */
function forgive(repeats: Repeats, policy: PassPolicy): Repeats {
  const grades = repeats.map(({ grade }) => grade)
  const isForgiven = grades.some(({ kind }) => kind === 'failed') && passes(policy, grades) === true
  if (!isForgiven) return repeats
  const forgiven = (one: GradedTurn): GradedTurn =>
    one.grade.kind === 'failed' ? { ...one, forgiven: 'enough of its answers passed' } : one
  const [first, ...others] = repeats
  return [forgiven(first), ...others.map(forgiven)]
}

/**
 * Over the repeats that have a verdict: errors are not graded and count elsewhere.
 * Undefined where no repeat has a verdict.
 */
export function passes(policy: PassPolicy, grades: readonly Pick<Grade, 'kind'>[]): boolean | undefined {
  const { passed, failed } = countVerdicts(grades)
  return passed + failed === 0 ? undefined : suffices(policy, passed, failed)
}

const countVerdicts = (grades: readonly Pick<Grade, 'kind'>[]) => ({
  passed: grades.filter(({ kind }) => kind === 'passed').length,
  failed: grades.filter(({ kind }) => kind === 'failed').length,
})

/** Whether so many passes beside so many failures are enough. `majority` is more than half. */
export function suffices(policy: PassPolicy, passed: number, failed: number): boolean {
  switch (policy) {
    case 'all':
      return failed === 0
    case 'majority':
      return passed > failed
    case 'any':
      return passed > 0
  }
}

/** Undefined where the question need not pass, or has passed. */
export function mustPassOf(repeats: Repeats, policy: PassPolicy): MustPassResult | undefined {
  const { id, mustPass } = repeats[0].turn.question
  const failed = repeats.filter(hasFailed).length
  if (!mustPass || failed === 0 || suffices(policy, repeats.length - failed, failed)) return undefined
  return { id, graded: repeats.some(({ grade }) => grade.kind === 'failed') }
}

/**
 * Without expectations, to pass is to be answered with its context. What was not sent has not failed: the run is incomplete
 * then, and says so.
 */
const hasFailed = ({ turn, grade }: GradedTurn): boolean =>
  grade.kind === 'failed' || (turn.outcome !== undefined && (turn.outcome !== 'answered' || turn.contextLost))

/** Errors and lost contexts are no answers. */
export function foldRepeats(repeats: Repeats, groundedSources: readonly string[]): RepeatedQuestion {
  const answers = repeats.filter(({ turn }) => isGrounded(turn, groundedSources) !== undefined)
  const grounded = answers.filter(({ turn }) => isGrounded(turn, groundedSources)).length
  const { passed, failed } = countVerdicts(repeats.map(({ grade }) => grade))
  const { id, message } = repeats[0].turn.question
  return {
    id,
    message,
    answered: answers.length,
    passRate: ratio(passed, passed + failed),
    groundingRate: ratio(grounded, answers.length),
  }
}

export const isFlaky = ({ passRate, groundingRate }: RepeatedQuestion): boolean =>
  isShared(passRate) || isShared(groundingRate)
