// What the calls of a search do not show yet: a rule is known when a rate slightly above was refused, and one
// slightly below was accepted for as long as the longest window that is claimed.
import type { LimitDoubt, LimitRule } from '../../domain/limit.ts'
import { type Rule, unexplainedBy } from './fit.ts'
import type { Sequence } from './sequence.ts'

/** Fewer refusals, or fewer streaks of them, show almost nothing. */
const MIN_REFUSED = 3
const MIN_TIMES_MET = 2

/** Times that the limit was met after calls were accepted: refusals in a row count once. */
export const timesMet = ({ streaks }: Sequence): number =>
  streaks.filter(({ accepted }, index) => accepted > (streaks[index - 1]?.accepted ?? 0)).length

export const isMet = (calls: Sequence): boolean =>
  timesMet(calls) >= MIN_TIMES_MET && calls.count - calls.possible.at.length >= MIN_REFUSED

/** Paces are slightly above and below if they are so near to the rate. */
const ABOVE = 1.1
const BELOW = 0.9
/** A pace shows in so many calls, or in all that a smaller limit accepts. */
const MIN_PACED = 8
/** Shorter windows are not seen, nor what calls before such a stretch have left of them. */
const MIN_TOLERANCES = 8

/** A rule that costs more explains less, whatever the tolerance. */
const RIVAL_COST = 5

/** Assumes that the rule explains every call, and was met. `rivals` may explain them, too. */
export function doubtOf(
  rule: Rule,
  rivals: readonly Rule[],
  calls: Sequence,
  claimedMs: number,
): LimitDoubt | undefined {
  const maxPerMs = (ABOVE * rule.perSecond) / 1000
  const minCalls = Math.min(MIN_PACED, rule.size)
  const wasRefused = stretchesOf(calls).some(({ from, to, accepted, isRefused }) => {
    const isLong = accepted.length >= minCalls && to - from >= MIN_TOLERANCES * calls.toleranceMs
    const isSlow = accepted.length <= maxPerMs * (to - from - calls.toleranceMs / 2)
    // Its last calls were no burst.
    const isEven = accepted.every(
      (at, nth) =>
        accepted.length - nth < minCalls || accepted.length - nth <= maxPerMs * (to - at + calls.toleranceMs),
    )
    return isRefused && isLong && isSlow && isEven
  })
  const hasRival = rivals.some(
    (rival) =>
      Math.abs(rival.perSecond / rule.perSecond - 1) > ABOVE - 1 &&
      rival.cost < rule.cost + RIVAL_COST &&
      unexplainedBy(rival, calls).length === 0,
  )
  if (!wasRefused || hasRival) return { kind: 'above' }
  const now = calls.at[calls.count - 1] ?? 0
  if (keptMs(rule, calls) >= claimedMs)
    return hasUsedWindow(rule, calls, claimedMs)
      ? undefined
      : { kind: 'second', until: Math.ceil(now / claimedMs) * claimedMs }
  const last = stretchesOf(calls).at(-1)
  if (last === undefined || last.isRefused) return { kind: 'second', until: now + claimedMs }
  // A stretch that was too slow for this rule has to end first.
  return isKept(last, rule) ? { kind: 'second', until: last.from + claimedMs } : { kind: 'limit' }
}

/** Says whether a whole window of the clock was used: parts of two hide a rule that allows less. */
function hasUsedWindow(rule: Rule, calls: Sequence, windowMs: number): boolean {
  const used = new Map<number, number>()
  for (const at of calls.accepted.at) {
    const window = Math.floor(at / windowMs)
    used.set(window, (used.get(window) ?? 0) + 1)
  }
  return [...used.values()].some((accepted) => accepted >= (BELOW * rule.perSecond * windowMs) / 1000)
}

type Stretch = ReturnType<typeof stretchesOf>[number]

/** A stretch without a refusal begins when the limit reopens: no burst is saved up in it. */
function stretchesOf({ streaks, at, count, accepted }: Sequence) {
  return streaks.flatMap(({ reopenedAt, accepted: before }, index) => {
    const next = streaks[index + 1]
    if (reopenedAt === undefined) return []
    const [to, all] = [next?.firstAt ?? at[count - 1] ?? 0, next?.accepted ?? accepted.at.length]
    // A refusal ended it, rather than the record.
    return [
      { from: reopenedAt, to, accepted: accepted.at.subarray(before, all), isRefused: next !== undefined },
    ]
  })
}

/** Calls came slightly below the rule's rate for so many milliseconds without a refusal. */
export function keptMs(rule: Rule, calls: Sequence): number {
  const kept = stretchesOf(calls).filter((stretch) => isKept(stretch, rule))
  return Math.max(0, ...kept.map(({ from, to }) => to - from))
}

const isKept = ({ from, to, accepted }: Stretch, rule: Rule): boolean =>
  accepted.length >= (BELOW * rule.perSecond * (to - from)) / 1000

/** A longer window is a quota, which no search can wait out. */
const MAX_ANNOUNCED_MS = 3_600_000
const NEXT_WINDOWS_MS = [1, 2, 5, 10, 15, 30, 60, 1440].map((minutes) => minutes * 60_000)

/** The window up to which a second rule must be ruled out: the longest announced, or the next round one. */
export function neededMs(rule: Rule | undefined, announced: readonly LimitRule[]): number {
  const refillMs = rule === undefined ? 0 : (1000 * rule.size) / rule.perSecond
  const seenMs = rule?.windowMs ?? refillMs
  const paced = announced.filter(({ windowMs }) => windowMs <= MAX_ANNOUNCED_MS)
  if (paced.length > 0) return Math.max(seenMs, ...paced.map(({ windowMs }) => windowMs))
  return NEXT_WINDOWS_MS.find((ms) => ms > seenMs) ?? 2 * seenMs
}
