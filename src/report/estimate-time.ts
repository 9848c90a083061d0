// How long a run will take, in words: the figure, what bounds it, and what it rests on.
import type { Estimate, PaceEstimate, Source, TimeEstimate } from '../domain/estimate.ts'
import type { AccountLine } from './account.ts'
import { digits, plural } from '../domain/text.ts'
import { callRate, duration } from './numbers.ts'

/** Nothing where no call is made. */
export function describeTime({ time, longestThread, calls }: Estimate): AccountLine[] {
  const { answerMs, answerSource } = time
  if (answerMs === null || answerSource === null) return []
  const answers = describeAnswers(answerMs, answerSource)
  const { withinBudgetMs } = time
  const all = describeExpected(time)
  return [
    ...(withinBudgetMs === null
      ? [{ label: 'Time', words: all }]
      : [
          { label: 'Time', words: describeWithinBudget(withinBudgetMs, calls.maxCalls ?? 0) },
          { label: '', words: `all ${digits(calls.base)} would take ${all}` },
        ]),
    { label: '', words: `${describeBounds(time, longestThread)}; ${answers}` },
  ]
}

function describeWithinBudget({ low, high }: TimeEstimate['expectedMs'], calls: number): string {
  if (calls === 0) return 'none, as --max-calls leaves no call'
  const span =
    low === high
      ? `about ${duration(high)}`
      : `${duration(low)} where no limit is met, ${duration(high)} at the pace that it begins with,`
  return `${span} for the ${plural(calls, 'call')} that --max-calls leaves`
}

function describeExpected(time: TimeEstimate): string {
  const { pace, expectedMs } = time
  const { low, high } = expectedMs
  switch (pace.kind) {
    case 'paced':
      return `about ${duration(high)}${describePace(time, pace)}; pauses after 429s and failures come on top`
    case 'unlimited':
      return `about ${duration(high)} where no limit is met; pauses after 429s and failures come on top`
    case 'unknown':
      return (
        `${duration(low)} where no limit is met, ${duration(high)} at the ${callRate(pace.startPerSecond)} that it begins with. The limit is not known ` +
        'before it is met, and a lower one takes longer: say it with --rate'
      )
  }
}

/** A thread that takes but little longer than the pace leaves it as it is said. */
const FAR = 2

/** What holds the calls up: the pace, a thread whose turns wait for each other, or that too few are in flight at once. */
function describePace(
  { atLeastMs, answerMs, concurrency }: TimeEstimate,
  { perSecond }: Extract<PaceEstimate, { readonly kind: 'paced' }>,
): string {
  const allowed = callRate(perSecond)
  const alone = `the pace alone would allow ${allowed}`
  const pace = atLeastMs.pace ?? 0
  if (atLeastMs.longestThread > FAR * Math.max(pace, atLeastMs.concurrency))
    return `, as its longest thread takes no less; ${alone}`
  if (atLeastMs.concurrency <= Math.max(pace, atLeastMs.longestThread) || answerMs === null)
    return ` at ${allowed}`
  const [reached, lanes] = [callRate((concurrency * 1000) / answerMs), plural(concurrency, 'call')]
  return ` at ${reached}, as ${lanes} at once ${concurrency === 1 ? 'comes' : 'come'} to no more; ${alone}`
}

function describeBounds({ atLeastMs, concurrency }: TimeEstimate, longestThread: number): string {
  return [
    ...(atLeastMs.pace === null ? [] : [`no sooner than ${duration(atLeastMs.pace)} by the pace`]),
    `${atLeastMs.pace === null ? 'no sooner than ' : ''}${duration(atLeastMs.longestThread)} by the longest thread (${plural(longestThread, 'turn')}, one after the other)`,
    `${duration(atLeastMs.concurrency)} by ${plural(concurrency, 'call')} at once`,
  ].join(', ')
}

function describeAnswers(answerMs: number, source: Source): string {
  switch (source) {
    case 'given':
      return `${duration(answerMs)} an answer`
    case 'assumed':
      return `${duration(answerMs)} an answer is taken: say it with --answer-time`
  }
}
