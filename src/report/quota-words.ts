// The allowance in words: shares of it, and what asking again and again adds up to.
import {
  costOfAll,
  repeatedCalls,
  nightsIn,
  shareOfQuota,
  type CallRange,
  type Quota,
} from '../domain/quota.ts'
import { digits, plural } from '../domain/text.ts'
import { percent } from './numbers.ts'

export const describeQuota = ({ calls, period }: Quota): string => `${plural(calls, 'call')} a ${period}`

export const callSpan = ({ min, max }: CallRange): string =>
  min === max ? plural(min, 'call') : `${digits(min)} to ${digits(max)} calls`

/** `4.8 %`, `4.8 % to 9.6 %`. */
export function shareSpan({ min, max }: CallRange, quota: Quota): string {
  const [low, high] = [min, max].map((calls) => percent(shareOfQuota(calls, quota)))
  return low === high ? `${high}` : `${low} to ${high}`
}

export interface UseRow {
  readonly asked: string
  readonly calls: string
  readonly share: string
  /** Whether the allowance does not suffice for it, at the worst. */
  readonly isOver: boolean
}

/** Where a run took fewer calls than its turns, why its forecast is higher; else undefined. */
export function describeFailing({ min }: CallRange, turns: number): string | undefined {
  if (min >= turns) return undefined
  return `a call for each of the ${plural(turns, 'turn')} at least, as turns without an answer may take none in a run`
}

/** What a run that cost so much costs in the allowance's period when it is asked every night. */
export function nightlyUse(cost: CallRange, quota: Quota): UseRow {
  const calls = repeatedCalls(cost, nightsIn(quota.period))
  return {
    asked: 'every night',
    calls: callSpan(calls),
    share: shareSpan(calls, quota),
    isOver: calls.max > quota.calls,
  }
}

/** `every night 1461 calls a month (146.1 %)`. */
export const describeUse = (used: CallRange, turns: number, quota: Quota): string => {
  const failing = describeFailing(used, turns)
  const { asked, calls, share } = nightlyUse(costOfAll(used, turns), quota)
  const use = `${asked} ${calls} a ${quota.period} (${share})`
  return failing === undefined ? use : `${use}; ${failing}`
}
