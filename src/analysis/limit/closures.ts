// When the limit was closed: refusals in a row, with the calls let through before and after.
import type { Calls } from './calls.ts'

export interface Closure {
  /** Places of its first and last refusal in the record. */
  readonly first: number
  readonly last: number
  /** From its first refusal to its last, milliseconds: it was closed for at least that long. */
  readonly lastedMs: number
  /** From the call let through before to the one after: it was closed for no longer than that. */
  readonly withinMs: number
  /** When the call that ended it was seen; undefined at the end of the record. */
  readonly openedAt: number | undefined
  readonly lastRefusedAt: number
}

export function findClosures({ count, at, refused }: Calls): Closure[] {
  const closures: Closure[] = []
  for (let first = 0; first < count; first += 1) {
    if (refused[first] !== 1) continue
    let last = first
    while (last + 1 < count && refused[last + 1] === 1) last += 1
    const lastRefusedAt = at[last] ?? 0
    const lastedMs = lastRefusedAt - (at[first] ?? 0)
    const withinMs = (at[last + 1] ?? lastRefusedAt) - (at[first - 1] ?? at[first] ?? 0)
    closures.push({ first, last, lastedMs, withinMs, openedAt: at[last + 1], lastRefusedAt })
    first = last
  }
  return closures
}

export interface Opening {
  /** In the middle of the time in which it must have come. */
  readonly at: number
  /** From the last refusal to the first call let through, milliseconds. */
  readonly doubtMs: number
}

/** Openings whose time is known best: the refusal before and the call let through are close together. */
export function sharpestOpenings(closures: readonly Closure[], most: number): Opening[] {
  return closures
    .flatMap(({ openedAt, lastRefusedAt }) => {
      if (openedAt === undefined) return []
      return [{ at: (openedAt + lastRefusedAt) / 2, doubtMs: openedAt - lastRefusedAt }]
    })
    .sort((a, b) => a.doubtMs - b.doubtMs)
    .slice(0, most)
}
