// How long the base case takes: by the pace, by the longest thread, by the calls in flight, and as the runner will order it.
import type { PaceEstimate, Source, TimeEstimate } from '../../domain/estimate.ts'
import type { Question } from '../../domain/question.ts'
import type { Chain } from './chain.ts'
import { boundsOf, makespanOf, sumOf } from './makespan.ts'

export interface TimeRules {
  readonly pace: PaceEstimate
  readonly concurrency: number
  readonly answers: AnswerTimes
}

export interface AnswerTimes {
  readonly source: Source
  /** Milliseconds until the question is answered. */
  readonly of: (question: Question) => number
}

/** Of these threads, all of them asked `repeats` times. */
export function estimateTime(
  chains: readonly Chain[],
  { pace, concurrency, answers }: TimeRules,
  repeats: number,
): TimeEstimate {
  const times = chains.map(({ turns, next }) => turns.slice(next).map(({ question }) => answers.of(question)))
  const perSecond = pace.kind === 'paced' ? pace.perSecond : undefined
  const lanes = { gapMs: perSecond === undefined ? 0 : 1000 / perSecond, concurrency }
  const bounds = boundsOf(times, lanes, repeats)
  const low = makespanOf(times, lanes, repeats)
  const slow = pace.kind === 'unknown' ? { ...lanes, gapMs: 1000 / pace.startPerSecond } : lanes
  const calls = times.reduce((sum, chain) => sum + chain.length, 0) * repeats
  const work = sumOf(
    times.map((chain) => sumOf(chain, 1)),
    repeats,
  )
  return {
    pace,
    concurrency,
    answerMs: calls === 0 ? null : work / calls,
    answerSource: calls === 0 ? null : answers.source,
    atLeastMs: { ...bounds, pace: perSecond === undefined ? null : bounds.pace },
    expectedMs: { low, high: pace.kind === 'unknown' ? makespanOf(times, slow, repeats) : low },
  }
}
