// A turn of a recorded run: the question, its final answer, its cost and its grade.
import type { AttemptResult } from './attempt.ts'
import type { Outcome } from './outcome.ts'
import type { EXPECTATION_COLUMNS, Expectations, Question } from './question.ts'
import type { Usage } from './quota.ts'

export interface TurnRecord {
  readonly index: number
  readonly question: Question
  readonly repeat: number
  /** Undefined: not sent, or its result is lost. */
  readonly outcome: Outcome | undefined
  readonly result: AttemptResult | undefined
  /** Service time of that attempt, milliseconds. */
  readonly serviceMs: number | undefined
  /** Time in limiter and backoff, over all attempts of the turn, milliseconds. */
  readonly waitMs: number | undefined
  /** Over all conversations and sessions. */
  readonly usage: Usage
  readonly rateLimited: number
  readonly contextLost: boolean
}

export interface UnmetExpectation {
  readonly expectation: (typeof EXPECTATION_COLUMNS)[keyof Expectations]
  /** What is wrong and what was found, as a sentence fragment. Untrusted: it quotes the answer. */
  readonly sentence: string
}

/** For a place that shows the answer itself, or leads to it: sentences quote it last. */
export const withoutAnswer = (sentence: string): string =>
  sentence.replace(/; (?:the answer was|found in) .*$/s, '')

/** `none`: without expectations. `notGraded`: no answer in its context; an error is never an answer. */
export type Grade =
  | { readonly kind: 'none' | 'notGraded' | 'passed' }
  | { readonly kind: 'failed'; readonly failures: readonly [UnmetExpectation, ...UnmetExpectation[]] }

export const hasPassed = ({ kind }: Pick<Grade, 'kind'>): boolean | undefined =>
  kind === 'passed' || (kind === 'failed' ? false : undefined)

export interface GradedTurn {
  readonly turn: TurnRecord
  readonly grade: Grade
  /** It failed, but enough answers to its question passed. */
  readonly isTolerated?: boolean
  /** Of a question that `--confirm` sent again: all its answers, the first one first. This one counts. */
  readonly tries?: readonly GradedTurn[]
}

export function isGrounded(
  turn: Pick<TurnRecord, 'outcome' | 'contextLost' | 'result'>,
  groundedSources: readonly string[],
): boolean | undefined {
  if (turn.outcome !== 'answered' || turn.contextLost || turn.result?.kind !== 'reply') return undefined
  return groundedSources.includes(turn.result.reply.contextSource)
}

export const PASS_POLICIES = ['all', 'majority', 'any'] as const

export type PassPolicy = (typeof PASS_POLICIES)[number]
