// Counts calls over time in as many bins as a chart shows, however long the run: where they run out, each takes in its neighbour.
import type { AttemptResult } from '../domain/attempt.ts'
import type { Summary } from '../domain/summary.ts'

export type CallsOverTime = NonNullable<Summary['pacing']['calls']>

const MOST_BINS = 120
const FIRST_BIN_MS = 250

type Fate = 'taken' | 'refused' | 'failed'

export interface CallCounter {
  /** `at`: milliseconds since the epoch when the call ended; calls come roughly in order. */
  add(at: number, result: AttemptResult): void
  /** Null where no call ended. */
  finish(): CallsOverTime | null
}

export function createCallCounter(): CallCounter {
  const counts: Record<Fate, number[]> = { taken: [], refused: [], failed: [] }
  let binMs = FIRST_BIN_MS
  let from: number | undefined
  let last = 0
  return {
    add: (at, result) => {
      from ??= Math.floor(at / FIRST_BIN_MS) * FIRST_BIN_MS
      // A clock that was set back must not lose a call.
      const since = Math.max(0, at - from)
      while (since >= MOST_BINS * binMs) {
        for (const fate of FATES) counts[fate] = joinNeighbours(counts[fate])
        binMs *= 2
      }
      const place = Math.floor(since / binMs)
      last = Math.max(last, since)
      const list = counts[fateOf(result)]
      list[place] = (list[place] ?? 0) + 1
    },
    finish: () => {
      if (from === undefined) return null
      const bins = Math.floor(last / binMs) + 1
      const whole = (list: readonly number[]): number[] =>
        Array.from({ length: bins }, (_, place) => list[place] ?? 0)
      return {
        from: new Date(from).toISOString(),
        binMs,
        taken: whole(counts.taken),
        refused: whole(counts.refused),
        failed: whole(counts.failed),
      }
    },
  }
}

const FATES = ['taken', 'refused', 'failed'] as const satisfies readonly Fate[]

function fateOf(result: AttemptResult): Fate {
  const status = 'httpStatus' in result ? result.httpStatus : undefined
  if (status === undefined) return 'failed'
  return status === 429 ? 'refused' : 'taken'
}

const joinNeighbours = (list: readonly number[]): number[] =>
  Array.from(
    { length: Math.ceil(list.length / 2) },
    (_, place) => (list[2 * place] ?? 0) + (list[2 * place + 1] ?? 0),
  )
