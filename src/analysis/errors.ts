// Picks the errors that a summary shows in full: the first of the set, one a question however often it was asked.
import { describeError } from '../domain/attempt.ts'
import type { Highlight } from '../domain/highlight.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import { ENGLISH } from '../domain/page-words.ts'
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
  let last: number | undefined
  return {
    // Repeats of a question come one after the other.
    add: ({ index, outcome, question: { id, message }, result }) => {
      if (outcome === undefined || !isErrorOutcome(outcome) || errors.length >= MOST) return
      if (index === last) return
      last = index
      const what = `${ENGLISH.outcomes[outcome]}: ${describeError(result)?.slice(0, LONGEST) ?? ''}`
      errors.push({ id, message: message.slice(0, LONGEST), what })
    },
    finish: () => errors,
  }
}
