// How full each kind of limit was when a call came, had it the given memory: the call is refused above a threshold.
// A level is counted with the call itself. `middle` is the level as the record says it, `bound` as the network may have
// changed it in the call's favour: lowest for a call let through, highest for one refused.
import type { Calls } from './calls.ts'

export interface Levels {
  readonly bound: Float64Array
  readonly middle: Float64Array
}

export const makeLevels = (count: number): Levels => ({
  bound: new Float64Array(count),
  middle: new Float64Array(count),
})

/** Token bucket and GCRA: what has been taken and not yet gained again. `perMs`: calls gained in a millisecond. */
export function bucketLevels(calls: Calls, perMs: number, { bound, middle }: Levels): void {
  const { at, refused, overtakers, slackMs } = calls
  let level = 0
  let setAt = at[0] ?? 0
  for (let i = 0; i < calls.count; i += 1) {
    const now = at[i] ?? 0
    const current = Math.max(0, level - perMs * (now - setAt))
    middle[i] = current + 1
    if (refused[i] === 1) {
      const early = Math.max(setAt, now - slackMs)
      bound[i] = Math.max(0, level - perMs * (early - setAt)) + 1 + (overtakers[i] ?? 0)
      continue
    }
    bound[i] = Math.max(0, current - perMs * slackMs) + 1
    level = current + 1
    setAt = now
  }
}

/** Sliding log: calls let through in the last `windowMs`. */
export function logLevels(calls: Calls, windowMs: number, { bound, middle }: Levels): void {
  const { at, refused, overtakers, passedAt, passedBefore, slackMs } = calls
  let exact = 0
  let early = 0
  let late = 0
  for (let i = 0; i < calls.count; i += 1) {
    const from = (at[i] ?? 0) - windowMs
    while (exact < passedAt.length && (passedAt[exact] ?? 0) <= from) exact += 1
    while (early < passedAt.length && (passedAt[early] ?? 0) <= from - slackMs) early += 1
    while (late < passedAt.length && (passedAt[late] ?? 0) <= from + slackMs) late += 1
    const before = passedBefore[i] ?? 0
    middle[i] = Math.max(0, before - exact) + 1
    bound[i] = refused[i] === 1 ? before - early + 1 + (overtakers[i] ?? 0) : Math.max(0, before - late) + 1
  }
}

/** A log in which refused calls count, too. */
export function logOfAllLevels(calls: Calls, windowMs: number, { bound, middle }: Levels): void {
  const { at, refused, slackMs } = calls
  let exact = 0
  let early = 0
  let late = 0
  for (let i = 0; i < calls.count; i += 1) {
    const from = (at[i] ?? 0) - windowMs
    while (exact < i && (at[exact] ?? 0) <= from) exact += 1
    while (early < i && (at[early] ?? 0) <= from - slackMs) early += 1
    while (late < i && (at[late] ?? 0) <= from + slackMs) late += 1
    middle[i] = i - exact + 1
    bound[i] = refused[i] === 1 ? i - early + 1 : i - late + 1
  }
}

/** Calls in flight. */
export function atOnceLevels(calls: Calls, { bound, middle }: Levels): void {
  const { at, refused, overtakers, doneAt, passedBefore, slackMs } = calls
  let exact = 0
  let early = 0
  let late = 0
  for (let i = 0; i < calls.count; i += 1) {
    const now = at[i] ?? 0
    while (exact < doneAt.length && (doneAt[exact] ?? 0) <= now) exact += 1
    while (early < doneAt.length && (doneAt[early] ?? 0) <= now - slackMs) early += 1
    while (late < doneAt.length && (doneAt[late] ?? 0) <= now + slackMs) late += 1
    const before = passedBefore[i] ?? 0
    middle[i] = Math.max(0, before - exact) + 1
    bound[i] = refused[i] === 1 ? before - early + 1 + (overtakers[i] ?? 0) : Math.max(0, before - late) + 1
  }
}
