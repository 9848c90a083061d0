// How long a run will take, in words: the figure, what bounds it, and what it rests on.
import type { Estimate, Source, TimeEstimate } from '../domain/estimate.ts'
import type { AccountLine } from './account.ts'
import { plural } from '../domain/digits.ts'
import { callRate, duration } from './numbers.ts'

/** Nothing where no call is made. */
export function describeTime({ time, longestThread }: Estimate): AccountLine[] {
  const { answerMs, answerSource } = time
  if (answerMs === null || answerSource === null) return []
  const answers = describeAnswers(answerMs, answerSource)
  return [
    { label: 'Time', words: describeExpected(time) },
    { label: '', words: `${describeBounds(time, longestThread)}; ${answers}` },
  ]
}

function describeExpected({ pace, expectedMs: { low, high } }: TimeEstimate): string {
  switch (pace.kind) {
    case 'paced': {
      const found = FOUND[pace.source]
      return `about ${duration(high)} at ${callRate(pace.perSecond)}${found}; pauses after 429s and failures come on top`
    }
    case 'unlimited':
      return `about ${duration(high)} where no limit is met; pauses after 429s and failures come on top`
    case 'unknown':
      return (
        `${duration(low)} where no limit is met, ${duration(high)} at the ${callRate(pace.startPerSecond)} that it begins with. The limit is not known ` +
        'before it is met, and a lower one takes longer: say it with --rate, or name a recorded run with --from'
      )
  }
}

const FOUND = {
  given: '',
  run: ', as the recorded run found',
  runUnmet: ', as fast as the recorded run went; it met no limit',
} as const

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
    case 'run':
      return `${duration(answerMs)} an answer, as in the recorded run`
    case 'assumed':
      return `${duration(answerMs)} an answer is taken: say it with --answer-time, or --from a recorded run`
  }
}
