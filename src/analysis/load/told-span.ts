// Of which time of a load test it is told what the endpoint answered a second: at least from one opening to the next.
import type { BacklogCurve } from './backlog.ts'

/** Steps of the time. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Two parts answered as much where they differ by no more than what came and went at their edges. */
const AS_MUCH = 0.9

/**
 * What is judged up to an endpoint's only opening holds no whole cycle: a limit's window may have been partly spent, by others
 * or by a test before, as this one began. The rate is then told of the longer part of the test, before the opening or after
 * it, where that part holds all that one opening takes, as it does after it where nothing is answered any more, and before it
 * where no less was answered than after; else of the whole test. It must have fallen short there, too: what is told is why
 * the endpoint was behind.
 */
export function toldOf(
  { pauses, shutFrom, ended }: BacklogCurve,
  steps: number,
  judged: Span,
  isShort: (span: Span) => boolean,
): Span {
  const [only, ...others] = pauses
  if (only === undefined || others.length > 0 || judged.to === steps) return judged
  const whole = { from: 0, to: steps }
  const opening = only.to
  const before = ended[opening] ?? 0
  const after = (ended[steps] ?? 0) - before
  const part = opening > steps / 2 ? { from: 0, to: opening } : { from: opening, to: steps }
  const isWhole = shutFrom !== undefined && (part.to === steps || before >= AS_MUCH * after)
  return [...(isWhole ? [part] : []), whole].find(isShort) ?? judged
}
