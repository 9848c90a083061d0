// How full a limit was when a call came, for limits whose windows turn: fixed ones, and the sliding counter.
import type { Calls } from './calls.ts'
import type { Levels } from './levels.ts'

/** Fixed windows that turn at `phaseMs` and every `windowMs` from there, of a record whose calls are read alike. */
export function fixedLevelsAlike(
  calls: Calls,
  windowMs: number,
  phaseMs: number,
  { bound, middle }: Levels,
): void {
  const { at, refused, overtakers, passedAt, passedBefore, slackMs } = calls
  let exact = 0
  let early = 0
  let late = 0
  let previous = 0
  let start = Number.NEGATIVE_INFINITY
  for (let i = 0; i < calls.count; i += 1) {
    const now = at[i] ?? 0
    const current = phaseMs + Math.floor((now - phaseMs) / windowMs) * windowMs
    if (current > start) {
      previous = current - start < 1.5 * windowMs ? exact : (passedBefore[i] ?? 0)
      start = current
    }
    while (exact < passedAt.length && (passedAt[exact] ?? 0) < start) exact += 1
    while (early < passedAt.length && (passedAt[early] ?? 0) < start - slackMs) early += 1
    while (late < passedAt.length && (passedAt[late] ?? 0) < start + slackMs) late += 1
    const before = passedBefore[i] ?? 0
    middle[i] = Math.max(0, before - exact) + 1
    if (refused[i] === 1) {
      const sinceBefore = now - start <= slackMs ? Math.min(previous, early) : early
      bound[i] = before - sinceBefore + 1 + (overtakers[i] ?? 0)
    } else bound[i] = start + windowMs - now <= slackMs ? 1 : Math.max(0, before - late) + 1
  }
}

/** Fixed windows each of which begins with the first call after the one before. */
export function firstCallLevels(calls: Calls, windowMs: number, { bound, middle }: Levels): void {
  const { at, doubt, refused, overtakers, overtakersInDoubt, slackMs } = calls
  let start = Number.NEGATIVE_INFINITY
  /** Of the call that began the window. */
  let startDoubt = 0
  let count = 0
  for (let i = 0; i < calls.count; i += 1) {
    const now = at[i] ?? 0
    const inDoubt = (doubt[i] ?? 0) + startDoubt
    const sinceTurn = now - start - windowMs
    const level = sinceTurn >= 0 ? 1 : count + 1
    if (refused[i] === 1) {
      const isOpen = sinceTurn >= inDoubt && sinceTurn >= 0
      middle[i] = (isOpen ? level : count + 1) + (overtakersInDoubt[i] ?? 0)
      bound[i] = (sinceTurn <= inDoubt + slackMs ? count + 1 : level) + (overtakers[i] ?? 0)
      continue
    }
    middle[i] = sinceTurn >= -inDoubt ? 1 : level
    bound[i] = sinceTurn >= -inDoubt - slackMs ? 1 : level
    // A call let through just before the turn by our reckoning began the window, if there was no room for it.
    if (sinceTurn >= 0) {
      start = now
      startDoubt = doubt[i] ?? 0
      count = 1
    } else count += 1
  }
}

/** Sliding counter: this window's calls, and those of the window before by the part that is still within reach. */
export function counterLevels(calls: Calls, windowMs: number, phaseMs: number, levels: Levels): void {
  const { bound, middle } = levels
  const { at, doubt, refused, overtakers, overtakersInDoubt, slackMs } = calls
  let start = Number.NEGATIVE_INFINITY
  let count = 0
  let before = 0
  for (let i = 0; i < calls.count; i += 1) {
    const now = at[i] ?? 0
    const current = phaseMs + Math.floor((now - phaseMs) / windowMs) * windowMs
    if (current > start) {
      before = current - start < 1.5 * windowMs ? count : 0
      count = 0
      start = current
    }
    const reached = before * (1 - (now - start) / windowMs)
    const inDoubt = Math.min(1, (doubt[i] ?? 0) / windowMs) * before
    const moved = Math.min(1, ((doubt[i] ?? 0) + slackMs) / windowMs) * before
    if (refused[i] === 1) {
      middle[i] = count + reached + inDoubt + 1 + (overtakersInDoubt[i] ?? 0)
      bound[i] = count + reached + moved + 1 + (overtakers[i] ?? 0)
    } else {
      middle[i] = count + Math.max(0, reached - inDoubt) + 1
      bound[i] = count + Math.max(0, reached - moved) + 1
      count += 1
    }
  }
}
