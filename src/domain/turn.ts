// A turn as the reports see it: the question, the answer that stands, what it took, and how it was graded.
import type { AttemptResult } from './attempt.ts'
import type { Outcome } from './outcome.ts'
import type { Question } from './question.ts'
import type { Usage } from './quota.ts'

export interface TurnRecord {
  readonly index: number
  readonly question: Question
  readonly repeat: number
  /** Absent: not asked, or its answer not known. */
  readonly outcome: Outcome | undefined
  /** Result of the attempt that decided the outcome. */
  readonly result: AttemptResult | undefined
  /** Service time of that attempt: sent to last byte, milliseconds. */
  readonly serviceMs: number | undefined
  /** What limiter and backoff took before it, over all attempts of the turn, milliseconds. */
  readonly waitMs: number | undefined
  /** Usage of the turn's attempts, over all conversations and sittings. */
  readonly usage: Usage
  /** How many of the attempts got 429. */
  readonly rateLimited: number
  readonly contextLost: boolean
}

/** One expectation that an answer did not keep. */
export interface Failure {
  /** The column that expected it, such as `expect_contains`. */
  readonly expectation: string
  /** What is wrong and what was found instead, as a sentence fragment for an editor. Holds the endpoint's text. */
  readonly sentence: string
}

/** Why a turn that expects something has no verdict. An error is never graded as an answer. */
export type UngradedReason = 'error' | 'contextLost' | 'skipped' | 'notAsked'

export type Grade =
  /** The question expects nothing. */
  | { readonly kind: 'none' }
  | { readonly kind: 'notGraded'; readonly reason: UngradedReason }
  /** `similarity` to the reference answer, 0 to 1, where the question has one. */
  | { readonly kind: 'passed'; readonly similarity?: number }
  | {
      readonly kind: 'failed'
      readonly failures: readonly [Failure, ...Failure[]]
      readonly similarity?: number
    }

/** Undefined where there is nothing to judge, or no way to. */
export function hasPassed({ kind }: Pick<Grade, 'kind'>): boolean | undefined {
  switch (kind) {
    case 'passed':
      return true
    case 'failed':
      return false
    case 'none':
    case 'notGraded':
      return undefined
  }
}

export interface GradedTurn {
  readonly turn: TurnRecord
  readonly grade: Grade
  /** Why a failed answer fails nothing: its question has passed all the same. */
  readonly forgiven?: string
}

/** Undefined where the question does not apply: no answer, or one without its context. */
export function isGrounded(turn: TurnRecord, groundedSources: readonly string[]): boolean | undefined {
  if (turn.outcome !== 'answered' || turn.contextLost || turn.result?.kind !== 'reply') return undefined
  return groundedSources.includes(turn.result.reply.contextSource)
}

export const PASS_POLICIES = ['all', 'majority', 'any'] as const

/** When a question that was asked several times has passed. */
export type PassPolicy = (typeof PASS_POLICIES)[number]
