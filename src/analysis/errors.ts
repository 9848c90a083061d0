// Picks the errors that a summary shows in full: the first of the set.
import { describeError } from '../domain/describe-error.ts'
import type { Highlight } from '../domain/highlight.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { TurnRecord } from '../domain/turn.ts'

const MOST = 20
/** Characters of a question that are enough to know it by. */
const LONGEST = 300

export interface ErrorGatherer {
  add(turn: TurnRecord): void
  finish(): readonly Highlight[]
}

export function createErrorGatherer(): ErrorGatherer {
  const errors: Highlight[] = []
  return {
    add: ({ outcome, question: { id, message }, result }) => {
      if (outcome === undefined || !isErrorOutcome(outcome) || errors.length >= MOST) return
      const what = `${outcome}: ${describeError(result)?.slice(0, LONGEST) ?? ''}`
      errors.push({ id, message: message.slice(0, LONGEST), what })
    },
    finish: () => errors,
  }
}
