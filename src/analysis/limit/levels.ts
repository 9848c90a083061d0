// How full each kind of limit was when a call came, had it the given memory: the call is refused above a threshold.
// A level is counted with the call itself. `bound` is the level as the network may have changed it in the call's favour:
// lowest for a call let through, highest for one refused; `middle` the same with an ordinary network left out, so that it is
// what the record says but for calls that were long on their way.
import type { Calls } from './calls.ts'
import { countUpTo } from './count-along.ts'

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
  const { at, doubt, refused, overtakers, overtakersInDoubt, slackMs } = calls
  let level = 0
  let setAt = at[0] ?? 0
  /** Of the call that last found nothing taken: until there is nothing again, all levels hang on its moment. */
  let startDoubt = 0
  for (let i = 0; i < calls.count; i += 1) {
    const now = at[i] ?? 0
    const inDoubt = doubt[i] ?? 0
    const moreSince = perMs * startDoubt
    const current = Math.max(0, level - perMs * (now - setAt))
    if (refused[i] === 1) {
      const early = Math.max(setAt, now - inDoubt)
      const earlier = Math.max(setAt, now - inDoubt - slackMs)
      middle[i] = Math.max(0, level + moreSince - perMs * (early - setAt)) + 1 + (overtakersInDoubt[i] ?? 0)
      bound[i] = Math.max(0, level + moreSince - perMs * (earlier - setAt)) + 1 + (overtakers[i] ?? 0)
      continue
    }
    if (current === 0) startDoubt = inDoubt
    middle[i] = Math.max(0, current - moreSince - perMs * inDoubt) + 1
    bound[i] = Math.max(0, current - moreSince - perMs * (inDoubt + slackMs)) + 1
    level = current + 1
    setAt = now
  }
}

/** Sliding log: calls let through in the last `windowMs`. */
export function logLevels(calls: Calls, windowMs: number, { bound, middle }: Levels): void {
  const { at, doubt, refused, overtakers, overtakersInDoubt, passedBefore, slackMs } = calls
  const gone = countUpTo(calls.passedLatest)
  const goneEarlier = countUpTo(calls.passedLatest)
  const mayBeGone = countUpTo(calls.passedEarliest)
  const mayBeGoneLater = countUpTo(calls.passedEarliest)
  for (let i = 0; i < calls.count; i += 1) {
    const from = (at[i] ?? 0) - windowMs
    const inDoubt = doubt[i] ?? 0
    const before = passedBefore[i] ?? 0
    if (refused[i] === 1) {
      middle[i] = before - gone(from - inDoubt) + 1 + (overtakersInDoubt[i] ?? 0)
      bound[i] = before - goneEarlier(from - inDoubt - slackMs) + 1 + (overtakers[i] ?? 0)
    } else {
      middle[i] = Math.max(0, before - mayBeGone(from + inDoubt)) + 1
      bound[i] = Math.max(0, before - mayBeGoneLater(from + inDoubt + slackMs)) + 1
    }
  }
}

/** A log in which refused calls count, too. */
export function logOfAllLevels(calls: Calls, windowMs: number, { bound, middle }: Levels): void {
  const { at, doubt, refused, slackMs } = calls
  const gone = countUpTo(at)
  const goneThen = countUpTo(at)
  for (let i = 0; i < calls.count; i += 1) {
    const favour = refused[i] === 1 ? -1 : 1
    const from = (at[i] ?? 0) - windowMs + favour * (doubt[i] ?? 0)
    middle[i] = i - Math.min(i, gone(from)) + 1
    bound[i] = i - Math.min(i, goneThen(from + favour * slackMs)) + 1
  }
}

/** Calls in flight. */
export function atOnceLevels(calls: Calls, { bound, middle }: Levels): void {
  const { at, doubt, refused, overtakers, overtakersInDoubt, doneAt, passedBefore, slackMs } = calls
  const done = countUpTo(doneAt)
  const doneThen = countUpTo(doneAt)
  for (let i = 0; i < calls.count; i += 1) {
    const favour = refused[i] === 1 ? -1 : 1
    const now = (at[i] ?? 0) + favour * (doubt[i] ?? 0)
    const before = passedBefore[i] ?? 0
    middle[i] = Math.max(0, before - done(now)) + 1 + (overtakersInDoubt[i] ?? 0)
    bound[i] = Math.max(0, before - doneThen(now + favour * slackMs)) + 1 + (overtakers[i] ?? 0)
  }
}
