// What a load test is about to send, in a sentence, before the first call.
import { shareOfQuota, type Quota } from '../../domain/quota.ts'
import type { LoadOptions } from '../../domain/load/load-options.ts'
import { formatPace } from '../../pace/rate.ts'
import { digits, plural } from '../../domain/digits.ts'
import { duration, percent } from '../../report/numbers.ts'
import { describeQuota } from '../../report/quota-words.ts'
import { createArrivalRate } from '../../runner/load/arrival-rate.ts'
import type { Conversation } from '../../runner/load/arrivals.ts'

/** Calls that so many arrivals make at most, where each thread goes to its end: the set in its order, over and over. */
export function callsOf(threads: readonly Conversation[], arrivals: number): number {
  const lengths = threads.map(({ turns }) => turns.length)
  const sum = (some: readonly number[]): number => some.reduce((total, one) => total + one, 0)
  return (
    Math.floor(arrivals / lengths.length) * sum(lengths) + sum(lengths.slice(0, arrivals % lengths.length))
  )
}

/** Lines for people. */
export function describeEstimate(
  threads: readonly Conversation[],
  { model, maxInFlight }: LoadOptions,
  maxCalls: number | null,
  quota: Quota | null,
): string[] {
  const most =
    maxCalls === null ? 'no end to them (--max-calls)' : `at most ${digits(maxCalls)} (--max-calls)`
  if (model.kind === 'closed')
    return [
      `Offers ${plural(model.users, 'user')} in a loop for ${duration(model.durationMs)}: as many calls as the answers allow, ${most}.`,
      ...describeEndless(maxCalls, quota),
    ]
  const { expected, durationMs, peak } = createArrivalRate(model.stages)
  const arrivals = Math.ceil(expected - 1e-9)
  const calls = callsOf(threads, arrivals)
  const about = model.arrivals === 'poisson' ? 'about ' : ''
  const sent = Math.min(calls, maxCalls ?? calls)
  return [
    `Offers ${about}${plural(arrivals, 'thread')} within ${duration(durationMs)}, ${formatPace(peak)} at the most: ${about}${plural(calls, 'call')} if all are answered, ${maxInFlight} in flight at most.`,
    ...(quota === null
      ? []
      : [`That is ${about}${shareOf(sent, quota)} of ${describeQuota(quota)}.`, ...warnOfQuota(sent, quota)]),
    ...(maxCalls !== null && calls > maxCalls
      ? [`The budget of ${digits(maxCalls)} calls (--max-calls) will end the test early.`]
      : []),
  ]
}

const shareOf = (calls: number, quota: Quota): string => percent(shareOfQuota(calls, quota))

/** The period is taken as unused so far: nobody knows better beforehand. */
const warnOfQuota = (calls: number, { calls: allowed, period }: Quota): string[] =>
  calls <= allowed
    ? []
    : [
        `Warning: that is ${plural(calls - allowed, 'call')} more than the whole ${period} allows: live users will find the quota spent. Offer less, or end the test with --max-calls.`,
      ]

/** Users in a loop: how many calls there will be is known by the budget alone. */
function describeEndless(maxCalls: number | null, quota: Quota | null): string[] {
  if (quota === null) return []
  const of = describeQuota(quota)
  return maxCalls === null
    ? [`What that takes of ${of} cannot be told beforehand: --max-calls puts a lid on it.`]
    : [`That is at most ${shareOf(maxCalls, quota)} of ${of}.`, ...warnOfQuota(maxCalls, quota)]
}
