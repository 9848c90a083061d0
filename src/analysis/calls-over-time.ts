// Counts calls over time in as many bins as a chart shows, however long the run.
import type { AttemptResult } from '../domain/attempt.ts'
import type { Summary } from '../domain/summary.ts'

export type CallsOverTime = NonNullable<Summary['pacing']['calls']>

const MOST_BINS = 120
const FIRST_BIN_MS = 250

type Fate = 'taken' | 'refused' | 'failed'

export function createCallCounter() {
  const [ends, fates]: [number[], Fate[]] = [[], []]
  return {
    /** `at`: milliseconds since the epoch when the call ended; calls come roughly in order. */
    add: (at: number, result: AttemptResult): void => {
      ends.push(at)
      fates.push(fateOf(result))
    },
    /** Null where no call ended. */
    finish: (): CallsOverTime | null => {
      const [first] = ends
      if (first === undefined) return null
      const from = Math.floor(first / FIRST_BIN_MS) * FIRST_BIN_MS
      const longest = ends.reduce((most, at) => Math.max(most, at - from), 0)
      let binMs = FIRST_BIN_MS
      while (longest >= MOST_BINS * binMs) binMs *= 2
      const empty = Array<number>(Math.floor(longest / binMs) + 1).fill(0)
      const counts = { taken: [...empty], refused: [...empty], failed: [...empty] }
      // A clock that was set back must not lose a call.
      for (const [place, fate] of fates.entries()) {
        const bin = Math.max(0, Math.floor(((ends[place] ?? from) - from) / binMs))
        counts[fate][bin] = (counts[fate][bin] ?? 0) + 1
      }
      return { from: new Date(from).toISOString(), binMs, ...counts }
    },
  }
}

function fateOf(result: AttemptResult): Fate {
  if (result.kind === 'reply') return 'taken'
  return 'httpStatus' in result && result.httpStatus === 429 ? 'refused' : 'failed'
}
