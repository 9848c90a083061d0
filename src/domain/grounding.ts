// Whether an answer came from the knowledge base.
import type { TurnRecord } from './turn.ts'

/** Undefined where the question does not apply: no answer, or one without its context. */
export function isGrounded(turn: TurnRecord, groundedSources: readonly string[]): boolean | undefined {
  if (turn.outcome !== 'answered' || turn.contextLost || turn.result?.kind !== 'reply') return undefined
  return groundedSources.includes(turn.result.reply.contextSource)
}
