// What a comparison holds of a turn: small enough for a hundred thousand of them, without the answer's text.
import type { Availability } from '../../domain/changes.ts'
import { isErrorOutcome, type Outcome } from '../../domain/outcome.ts'
import { hasPassed, type GradedTurn, isGrounded } from '../../domain/turn.ts'

export interface TurnSummary {
  /** Number of the question in its run. */
  readonly index: number
  readonly id: string
  readonly repeat: number
  /** Which of the run's files, from 0. */
  readonly file: number
  readonly thread: string
  /** Place in the thread, from 1. */
  readonly turn: number
  readonly message: string
  readonly tags: readonly string[]
  readonly mustPass: boolean
  /** Absent: not asked. */
  readonly outcome: Outcome | undefined
  readonly contextLost: boolean
  /** Of an answer, as the endpoint named it. */
  readonly contextSource: string | undefined
  /** Undefined where the question does not apply: no answer, or one without its context. */
  readonly grounded: boolean | undefined
  /** Undefined: nothing was expected, or there was no answer to hold it against. */
  readonly passed: boolean | undefined
  /** Milliseconds, as in `TurnRecord`. */
  readonly serviceMs: number | undefined
  readonly waitMs: number | undefined
}

/** `groundedSources`: the `contextSource` values that count as grounded, one list for all runs compared. */
export function turnSummaryOf({ turn, grade }: GradedTurn, groundedSources: readonly string[]): TurnSummary {
  const { index, question, repeat, outcome, contextLost, result, serviceMs, waitMs } = turn
  const { id, file, thread, turn: place, message, tags, mustPass } = question
  const isAnswer = outcome === 'answered' && result?.kind === 'reply'
  return {
    index,
    id,
    repeat,
    file,
    thread,
    turn: place,
    message,
    tags,
    mustPass,
    outcome,
    contextLost,
    contextSource: isAnswer ? result.reply.contextSource : undefined,
    grounded: isGrounded(turn, groundedSources),
    passed: hasPassed(grade),
    serviceMs,
    waitMs,
  }
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
