// Coverage with its intervals.
import type { Coverage } from '../domain/summary.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { clusterInterval, wilsonOfShare } from '../stats/intervals.ts'
import { threadKey } from './fold.ts'
import { ratio } from './turns.ts'

/** Answers of one thread, over all repeats. */
export interface ThreadTally {
  /** Turns. */
  readonly grounded: number
  readonly answered: number
  /** Questions with an answer. */
  readonly questions: number
  /** Sum over those questions of the square of their answered turns; equals `answered` without repeats. */
  readonly squares: number
}

export function createThreadTallies() {
  const threads = new Map<string, { -readonly [K in keyof ThreadTally]: ThreadTally[K] }>()
  /** By the question's number. */
  const answers = new Map<number, number>()
  return {
    /** An answered turn with its context. */
    add: ({ index, question }: Pick<TurnRecord, 'index' | 'question'>, isGrounded: boolean): void => {
      const key = threadKey(question)
      const tally = threads.get(key) ?? { grounded: 0, answered: 0, questions: 0, squares: 0 }
      threads.set(key, tally)
      const before = answers.get(index) ?? 0
      answers.set(index, before + 1)
      if (before === 0) tally.questions += 1
      // (a + 1)² = a² + 2a + 1
      tally.squares += 2 * before + 1
      tally.answered += 1
      if (isGrounded) tally.grounded += 1
    },
    /** In the order in which the threads began. */
    finish: (): readonly ThreadTally[] => [...threads.values()],
  }
}

/** Fewer threads say too little of how threads differ. */
const FEWEST_THREADS = 5

/**
 * The rate counts turns; the intervals count questions, as asking one again says nothing of others: of questions sent
 * unequally often Kish's (Σa)²/Σa² (Kish 1965), their number where all have as many answers.
 */
export function coverageOf(threads: readonly ThreadTally[]): Coverage {
  const sum = (of: keyof ThreadTally): number => threads.reduce((all, one) => all + one[of], 0)
  const [grounded, answered, questions] = [sum('grounded'), sum('answered'), sum('questions')]
  const independent = answered === 0 ? 0 : answered ** 2 / sum('squares')
  const isEnough = threads.length >= FEWEST_THREADS
  const wilson = isEnough ? wilsonOfShare(grounded / answered, independent) : undefined
  const clusters = threads.map((one) => ({ successes: one.grounded, trials: one.answered }))
  const cluster = isEnough && questions > threads.length ? clusterInterval(clusters, independent) : undefined
  return {
    rate: ratio(grounded, answered),
    grounded,
    answered,
    low: wilson?.low ?? null,
    high: wilson?.high ?? null,
    cluster: cluster === undefined ? null : { low: cluster.low, high: cluster.high, threads: threads.length },
  }
}
