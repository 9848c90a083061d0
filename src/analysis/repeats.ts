// The repeats of a question: whether it passes under the pass policy, and whether it is flaky.
import type { ListedQuestion, MustPassResult, RepeatedQuestion } from '../domain/summary.ts'
import { type Grade, type GradedTurn, isGrounded, type PassPolicy, type TurnRecord } from '../domain/turn.ts'
import { ratio } from './turns.ts'

/** The repeats of a question in the order of sending. */
export type Repeats<T = GradedTurn> = readonly [T, ...T[]]

/** Groups turns by question. Takes the repeats of a question one after the other. */
export function* groupRepeats(turns: Iterable<GradedTurn>, policy: PassPolicy): Generator<Repeats> {
  let repeats: [GradedTurn, ...GradedTurn[]] | undefined
  for (const graded of turns) {
    if (repeats?.[0].turn.index === graded.turn.index) {
      repeats.push(graded)
      continue
    }
    if (repeats !== undefined) yield tolerateFailures(repeats, policy)
    repeats = [graded]
  }
  if (repeats !== undefined) yield tolerateFailures(repeats, policy)
}

/** Marks failed repeats of a question that passes, so that reports and the gate agree. */
function tolerateFailures(repeats: Repeats, policy: PassPolicy): Repeats {
  const grades = repeats.map(({ grade }) => grade)
  const isTolerated = grades.some(({ kind }) => kind === 'failed') && passes(policy, grades) === true
  if (!isTolerated) return repeats
  const tolerate = (one: GradedTurn): GradedTurn =>
    one.grade.kind === 'failed' ? { ...one, isTolerated: true } : one
  const [first, ...others] = repeats
  return [tolerate(first), ...others.map(tolerate)]
}

/** Only graded repeats count; errors have their own gate. Undefined if no repeat was graded. */
export function passes(policy: PassPolicy, grades: readonly Pick<Grade, 'kind'>[]): boolean | undefined {
  const { passed, failed } = countVerdicts(grades)
  return passed + failed === 0 ? undefined : meetsPolicy(policy, passed, failed)
}

const countVerdicts = (grades: readonly Pick<Grade, 'kind'>[]) => ({
  passed: grades.filter(({ kind }) => kind === 'passed').length,
  failed: grades.filter(({ kind }) => kind === 'failed').length,
})

/** `majority` is more than half. */
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

/** Undefined if the question passed or is not `must_pass`. */
export function mustPassOf(
  repeats: Repeats,
  policy: PassPolicy,
): (MustPassResult & ListedQuestion) | undefined {
  const { id, message, mustPass } = repeats[0].turn.question
  const failed = repeats.filter(hasFailed).length
  if (!mustPass || failed === 0 || meetsPolicy(policy, repeats.length - failed, failed)) return undefined
  return { id, message, graded: repeats.some(({ grade }) => grade.kind === 'failed') }
}

/**
 * Without expectations, a turn passes if it is answered with its context. A turn that was not sent has not
 * failed: the run is incomplete, and reports that.
 */
export const hasFailed = ({
  turn,
  grade,
}: {
  readonly turn: Pick<TurnRecord, 'outcome' | 'contextLost'>
  readonly grade: Pick<Grade, 'kind'>
}): boolean =>
  grade.kind === 'failed' || (turn.outcome !== undefined && (turn.outcome !== 'answered' || turn.contextLost))

/** Errors and answers without their context do not count as answers. */
export function summariseRepeats(repeats: Repeats, groundedSources: readonly string[]): RepeatedQuestion {
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

/** The repeats of one run differ. */
export const isShared = (rate: number | null): boolean => rate !== null && rate > 0 && rate < 1

export const isFlaky = ({ passRate, groundingRate }: RepeatedQuestion): boolean =>
  isShared(passRate) || isShared(groundingRate)
