// The allowance in words: shares of it, and what asking again and again adds up to.
import {
  costOfAll,
  repeatedCalls,
  runsIn,
  shareOfQuota,
  type CallRange,
  type Quota,
  type Rhythm,
} from '../domain/quota.ts'
import { digits, plural } from '../domain/digits.ts'
import { percent } from './numbers.ts'

export const describeQuota = ({ calls, period }: Quota): string => `${plural(calls, 'call')} a ${period}`

export const callSpan = ({ min, max }: CallRange): string =>
  min === max ? plural(min, 'call') : `${digits(min)} to ${digits(max)} calls`

/** `4.8 %`, `4.8 % to 9.6 %`. */
export function shareSpan({ min, max }: CallRange, quota: Quota): string {
  const [low, high] = [min, max].map((calls) => percent(shareOfQuota(calls, quota)))
  return low === high ? `${high}` : `${low} to ${high}`
}

const ASKED: Readonly<Record<Rhythm, string>> = {
  nightly: 'every night',
  weekly: 'every week',
  perRelease: 'for one release',
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

/** What a run that cost so much costs in the allowance's period, with one release in it. */
export const useRows = (cost: CallRange, quota: Quota): UseRow[] =>
  (Object.keys(ASKED) as Rhythm[]).map((rhythm) => {
    const calls = repeatedCalls(cost, runsIn(quota.period, rhythm, 1))
    return {
      asked: ASKED[rhythm],
      calls: callSpan(calls),
      share: shareSpan(calls, quota),
      isOver: calls.max > quota.calls,
    }
  })

/** `every night 1461 calls a month (146.1 %), every week …, for a release 48 calls (4.8 %)`. */
export const describeUse = (used: CallRange, turns: number, quota: Quota): string => {
  const failing = describeFailing(used, turns)
  const uses = useRows(costOfAll(used, turns), quota)
    .map(({ asked, calls, share }, place, { length }) => {
      const period = place === length - 1 ? '' : ` a ${quota.period}`
      return `${asked} ${calls}${period} (${share})`
    })
    .join(', ')
  return failing === undefined ? uses : `${uses}; ${failing}`
}
