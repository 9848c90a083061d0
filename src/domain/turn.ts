// A turn as the reports see it: the question, the answer that stands, and what it took.
import type { AttemptResult } from './attempt.ts'
import type { Outcome } from './outcome.ts'
import type { Question } from './question.ts'
import type { Usage } from './usage.ts'

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
