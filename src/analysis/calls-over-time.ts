// Counts calls over time in as many bins as a chart shows, however long the run: where they run out, each takes in its neighbour.
import type { AttemptResult } from '../domain/attempt.ts'
import type { Summary } from '../domain/summary.ts'

export type CallsOverTime = NonNullable<Summary['pacing']['calls']>

const MOST_BINS = 120
const FIRST_BIN_MS = 250

const FATES = ['taken', 'refused', 'failed'] as const
type Fate = (typeof FATES)[number]

export function createCallCounter() {
  const counts: Record<Fate, number[]> = { taken: [], refused: [], failed: [] }
  let binMs = FIRST_BIN_MS
  let from: number | undefined
  let last = 0
  return {
    /** `at`: milliseconds since the epoch when the call ended; calls come roughly in order. */
    add: (at: number, result: AttemptResult): void => {
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
    /** Null where no call ended. */
    finish: (): CallsOverTime | null => {
      if (from === undefined) return null
      const bins = Math.floor(last / binMs) + 1
      const whole = (fate: Fate): number[] =>
        Array.from({ length: bins }, (_, place) => counts[fate][place] ?? 0)
      const [taken, refused, failed] = [whole('taken'), whole('refused'), whole('failed')]
      return { from: new Date(from).toISOString(), binMs, taken, refused, failed }
    },
  }
}

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
