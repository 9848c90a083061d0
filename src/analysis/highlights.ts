// Picks the turns that a summary shows in full: the first gaps and the first errors of the set.
import { describeError } from '../domain/describe-error.ts'
import { isGrounded } from '../domain/grounding.ts'
import type { Highlight, Highlights } from '../domain/highlights.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { TurnRecord } from '../domain/turn.ts'

const MOST = 20
/** Characters of a question that are enough to know it by. */
const LONGEST = 300

export interface HighlightsGatherer {
  add(turn: TurnRecord): void
  finish(): Highlights
}

export function createHighlightsGatherer(groundedSources: readonly string[]): HighlightsGatherer {
  const gaps: Highlight[] = []
  const errors: Highlight[] = []
  return {
    add: (turn) => {
      const { id, message } = turn.question
      const highlight = (what: string): Highlight => ({ id, message: message.slice(0, LONGEST), what })
      if (turn.outcome !== undefined && isErrorOutcome(turn.outcome) && errors.length < MOST)
        errors.push(highlight(`${turn.outcome}: ${describeError(turn.result)?.slice(0, LONGEST) ?? ''}`))
      if (turn.result?.kind === 'reply' && isGrounded(turn, groundedSources) === false && gaps.length < MOST)
        gaps.push(highlight(turn.result.reply.contextSource))
    },
    finish: () => ({ gaps, errors }),
  }
}
