// Counts calls over time in as many bins as a chart shows, however long the run: where they run out, each takes in its neighbour.
import type { AttemptResult } from '../domain/attempt.ts'
import type { Summary } from '../domain/summary.ts'

export type CallsOverTime = NonNullable<Summary['pacing']['calls']>

const MOST_BINS = 120
const FIRST_BIN_MS = 250

const EMPTY = { taken: 0, refused: 0, failed: 0 }
type Fate = keyof typeof EMPTY

export function createCallCounter() {
  let bins: Record<Fate, number>[] = []
  let binMs = FIRST_BIN_MS
  let from: number | undefined
  return {
    /** `at`: milliseconds since the epoch when the call ended; calls come roughly in order. */
    add: (at: number, result: AttemptResult): void => {
      from ??= Math.floor(at / FIRST_BIN_MS) * FIRST_BIN_MS
      // A clock that was set back must not lose a call.
      const since = Math.max(0, at - from)
      while (since >= MOST_BINS * binMs) {
        bins = joinNeighbours(bins)
        binMs *= 2
      }
      const place = Math.floor(since / binMs)
      while (bins.length <= place) bins.push({ ...EMPTY })
      const bin = bins[place]
      if (bin !== undefined) bin[fateOf(result)] += 1
    },
    /** Null where no call ended. */
    finish: (): CallsOverTime | null => {
      const of = (fate: Fate): number[] => bins.map((bin) => bin[fate])
      const counts = { taken: of('taken'), refused: of('refused'), failed: of('failed') }
      return from === undefined ? null : { from: new Date(from).toISOString(), binMs, ...counts }
    },
  }
}

function fateOf(result: AttemptResult): Fate {
  const status = 'httpStatus' in result ? result.httpStatus : undefined
  if (status === undefined) return 'failed'
  return status === 429 ? 'refused' : 'taken'
}

const joinNeighbours = (bins: readonly Record<Fate, number>[]): Record<Fate, number>[] =>
  Array.from({ length: Math.ceil(bins.length / 2) }, (_, place) => {
    const [one = EMPTY, other = EMPTY] = bins.slice(2 * place, 2 * place + 2)
    return {
      taken: one.taken + other.taken,
      refused: one.refused + other.refused,
      failed: one.failed + other.failed,
    }
  })
