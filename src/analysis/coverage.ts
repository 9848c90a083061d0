// Coverage with what is known of it: its intervals, and what was lost to it.
import type { Coverage } from '../domain/summary.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { clusterInterval, type Cluster } from '../stats/cluster.ts'
import { wilsonOfShare } from '../stats/interval.ts'
import { ratio } from './turns.ts'
import { threadKey } from './fold.ts'

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

export interface ThreadTallies {
  /** An answered turn with its context. Repeats of a question come one after the other, as `turnRecords` has them. */
  add(turn: Pick<TurnRecord, 'index' | 'question'>, isGrounded: boolean): void
  /** In the order in which the threads began. */
  finish(): readonly ThreadTally[]
}

export function createThreadTallies(): ThreadTallies {
  const threads = new Map<string, { -readonly [K in keyof ThreadTally]: ThreadTally[K] }>()
  let current: { index: number; answered: number } = { index: -1, answered: 0 }
  return {
    add: ({ index, question }, isGrounded) => {
      const key = threadKey(question)
      const tally = threads.get(key) ?? { grounded: 0, answered: 0, questions: 0, squares: 0 }
      threads.set(key, tally)
      if (current.index !== index) {
        current = { index, answered: 0 }
        tally.questions += 1
      }
      // (a + 1)² = a² + 2a + 1
      tally.squares += 2 * current.answered + 1
      current.answered += 1
      tally.answered += 1
      if (isGrounded) tally.grounded += 1
    },
    finish: () => [...threads.values()],
  }
}

/** Turns that coverage is missing: ended in an error or skipped after one; answered without their context. */
export interface LostTurns {
  readonly errors: number
  readonly context: number
}

/** Fewer threads say too little of how threads differ. */
const FEWEST_THREADS = 5

/**
 * `grounded` and `answered` count turns, and `rate` is their ratio. The intervals count questions: asking one again
 * says nothing of other questions. Of questions sent unequally often it is Kish's (Σa)²/Σa² (Kish 1965), which
 * is their number where all have as many answers. The interval over threads stands where threads have several
 * questions. There is none of either over fewer than five threads.
 */
export function coverageOf(threads: readonly ThreadTally[], lost: LostTurns): Coverage {
  let [grounded, answered, questions, squares] = [0, 0, 0, 0]
  let [filled, hasSeveral] = [0, false]
  for (const one of threads) {
    grounded += one.grounded
    answered += one.answered
    questions += one.questions
    squares += one.squares
    if (one.answered > 0) filled += 1
    if (one.questions > 1) hasSeveral = true
  }
  const independent = answered === 0 ? 0 : answered ** 2 / squares
  const isEnough = filled >= FEWEST_THREADS
  const wilson = isEnough ? wilsonOfShare(grounded / answered, independent) : undefined
  const cluster = isEnough && hasSeveral ? clusterInterval(threads.map(clusterOf), independent) : undefined
  return {
    rate: ratio(grounded, answered),
    grounded,
    answered,
    low: wilson?.low ?? null,
    high: wilson?.high ?? null,
    questions,
    cluster: cluster === undefined ? null : { low: cluster.low, high: cluster.high, threads: filled },
    lostToErrors: lost.errors,
    lostToContext: lost.context,
  }
}

const clusterOf = ({ grounded, answered }: ThreadTally): Cluster => ({
  successes: grounded,
  trials: answered,
})
