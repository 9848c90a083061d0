// How a graded turn stands for a CI server: passed, failed, errored or skipped, and why.
import { describeError, errorCodeOf } from '../domain/describe-error.ts'
import type { GradedTurn } from '../domain/graded-turn.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { TurnRecord } from '../domain/turn.ts'

/** Sentences hold text of the endpoint as it came: the renderer makes it safe. */
export type Standing =
  | { readonly kind: 'passed' }
  /** `type` is the first expectation that was not kept. */
  | { readonly kind: 'failed'; readonly type: string; readonly sentences: readonly [string, ...string[]] }
  /** `type` is the outcome. */
  | { readonly kind: 'errored'; readonly type: string; readonly sentences: readonly [string] }
  | { readonly kind: 'skipped'; readonly why: string }

/** An answer without its context says nothing of the knowledge base: it neither passes nor fails. */
export function standingOf({ turn, grade, forgiven }: GradedTurn): Standing {
  const { outcome, contextLost } = turn
  if (outcome === undefined) return { kind: 'skipped', why: 'not asked: the run stopped before it' }
  if (outcome === 'skipped')
    return { kind: 'skipped', why: 'not asked: an earlier turn of its thread ended in an error' }
  if (isErrorOutcome(outcome))
    return { kind: 'errored', type: outcome, sentences: [describeFailure(turn, outcome)] }
  if (contextLost && turn.question.mustPass)
    return {
      kind: 'failed',
      type: 'must_pass',
      sentences: ['must pass, and was answered without the context of its conversation'],
    }
  if (contextLost)
    return { kind: 'skipped', why: 'answered, but the endpoint had lost the context of the conversation' }
  if (grade.kind !== 'failed' || forgiven !== undefined) return { kind: 'passed' }
  const [first, ...rest] = grade.failures
  return {
    kind: 'failed',
    type: first.expectation,
    sentences: [first.sentence, ...rest.map(({ sentence }) => sentence)],
  }
}

function describeFailure({ result }: TurnRecord, outcome: string): string {
  const httpStatus = result !== undefined && 'httpStatus' in result ? result.httpStatus : undefined
  const code = errorCodeOf(result)
  const facts = [
    ...(httpStatus === undefined ? [] : [`HTTP ${httpStatus}`]),
    ...(code === undefined ? [] : [`code ${code}`]),
  ]
  const what = facts.length === 0 ? outcome : `${outcome} (${facts.join(', ')})`
  const message = describeError(result)
  return message === undefined || message === '' ? what : `${what}: ${message}`
}
