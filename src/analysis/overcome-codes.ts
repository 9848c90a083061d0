// Codes of refusals (429) after which calls were taken again: these mean a rate limit, not a spent quota.
import type { AttemptResult } from '../domain/attempt.ts'

export interface OvercomeCodes {
  /** What a sitting did not overcome itself may have been a quota, anew since. */
  beginSitting(): void
  /** `begun`: the highest number of an attempt when this result came. */
  note(attempt: number, result: AttemptResult, begun: number): void
  list(): string[]
}

export function createOvercomeCodes(): OvercomeCodes {
  const overcome = new Set<string>()
  let refused = new Set<string>()
  /** The highest attempt when the refusals began: what was under way then does not overcome them. */
  let since = 0
  return {
    beginSitting: () => {
      refused = new Set()
    },
    note: (attempt, result, begun) => {
      if (result.kind === 'rejection' && result.httpStatus === 429) {
        if (refused.size === 0) since = begun
        refused.add(result.error.code ?? '')
        return
      }
      if (refused.size === 0 || attempt <= since || !isTaken(result)) return
      for (const code of refused) overcome.add(code)
      refused = new Set()
    },
    list: () => [...overcome].filter((code) => code !== ''),
  }
}

const isTaken = (result: AttemptResult): boolean =>
  result.kind === 'reply' ||
  result.kind === 'malformed' ||
  (result.kind === 'rejection' && result.httpStatus < 500)
