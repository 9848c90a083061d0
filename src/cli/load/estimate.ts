// What a load test is about to send, in a sentence, before the first call.
import { shareOfQuota, type Quota } from '../../domain/quota.ts'
import type { LoadOptions } from '../../domain/load/load-options.ts'
import { formatPace } from '../../pace/rate.ts'
import { duration, percent, plural } from '../../report/numbers.ts'
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
  { model, retry429, maxInFlight }: LoadOptions,
  maxCalls: number | null,
  quota: Quota | null,
): string[] {
  const most = maxCalls === null ? 'no end to them (--max-calls)' : `at most ${maxCalls} (--max-calls)`
  if (model.kind === 'closed')
    return [
      `Offers ${plural(model.users, 'user')} in a loop for ${duration(model.durationMs)}: as many calls as the answers allow, ${most}.`,
    ]
  const { expected, durationMs, peak } = createArrivalRate(model.stages)
  const arrivals = Math.ceil(expected - 1e-9)
  const calls = callsOf(threads, arrivals)
  const about = model.arrivals === 'poisson' ? 'about ' : ''
  return [
    `Offers ${about}${plural(arrivals, 'thread')} within ${duration(durationMs)}, ${formatPace(peak)} at the most: ${about}${plural(calls, 'call')} if all are answered, ${maxInFlight} in flight at most.`,
    ...(quota === null
      ? []
      : [
          `That is ${about}${percent(shareOfQuota(Math.min(calls, maxCalls ?? calls), quota))} of ${describeQuota(quota)}.`,
        ]),
    ...(retry429 ? ['Refused calls (429) are asked again on top of that.'] : []),
    ...(maxCalls !== null && calls > maxCalls
      ? [`The budget of ${maxCalls} calls (--max-calls) will end the test early.`]
      : []),
  ]
}
