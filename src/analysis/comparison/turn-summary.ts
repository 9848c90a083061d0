// What a comparison holds of a turn: small enough for a hundred thousand of them, without the answer's text.
import type { Availability } from '../../domain/changes.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import type { Question } from '../../domain/question.ts'
import { type GradedTurn, hasPassed, isGrounded, type TurnRecord } from '../../domain/turn.ts'

export interface TurnSummary
  extends
    Pick<TurnRecord, 'index' | 'repeat' | 'outcome' | 'contextLost' | 'serviceMs'>,
    Pick<Question, 'id' | 'file' | 'thread' | 'turn' | 'message' | 'mustPass'> {
  readonly tags: readonly string[]
  /** Of an answer, as the endpoint named it. */
  readonly contextSource: string | undefined
  /** Undefined where the question does not apply: no answer, or one without its context. */
  readonly grounded: boolean | undefined
  /** Undefined: nothing was expected, or there was no answer to hold it against. */
  readonly passed: boolean | undefined
}

/** `groundedSources`: the `contextSource` values that count as grounded, one list for all runs compared. */
export function turnSummaryOf({ turn, grade }: GradedTurn, groundedSources: readonly string[]): TurnSummary {
  const { index, repeat, outcome, contextLost, serviceMs, result } = turn
  const { id, file, thread, turn: place, message, tags, mustPass } = turn.question
  const isAnswer = outcome === 'answered' && result?.kind === 'reply'
  const contextSource = isAnswer ? result.reply.contextSource : undefined
  const [grounded, passed] = [isGrounded(turn, groundedSources), hasPassed(grade)]
  const question = { id, file, thread, turn: place, message, tags, mustPass }
  return { index, repeat, outcome, contextLost, serviceMs, ...question, contextSource, grounded, passed }
}

/** An answer without its context is an answer. */
export function availabilityOf({ outcome }: Pick<TurnSummary, 'outcome'>): Availability {
  if (outcome === undefined) return 'notAsked'
  if (outcome === 'answered') return 'answer'
  return isErrorOutcome(outcome) ? 'error' : 'skipped'
}

const NO_SOURCE = { error: '(error)', skipped: '(skipped)', notAsked: '(not asked)' } as const

/** For people: the answer's `contextSource` as it is, or in brackets why there is none that counts. */
export function sourceLabel(turn: Pick<TurnSummary, 'outcome' | 'contextLost' | 'contextSource'>): string {
  const availability = availabilityOf(turn)
  if (availability !== 'answer') return NO_SOURCE[availability]
  // A journal may have lost the record of an answer.
  return turn.contextLost ? '(context lost)' : (turn.contextSource ?? '(unknown)')
}
