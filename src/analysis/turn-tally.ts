// Turns counted, of a run and of a load test alike: outcomes, mixes, coverage, errors. In any order.
import { errorCodeOf, statusOf } from '../domain/attempt.ts'
import { isErrorOutcome, type Outcome, OUTCOMES } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { Figures, TurnCounts } from '../domain/summary.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { clusterInterval, wilsonOfShare } from '../stats/intervals.ts'
import { compareTexts } from '../domain/text.ts'
import { threadKey } from './fold.ts'
import { ratio } from './turns.ts'

/** `result`: what decided the turn; undefined for a skipped one, and where its record is lost. */
type Turn = Pick<TurnRecord, 'index' | 'outcome' | 'contextLost' | 'result'> & {
  readonly question: Question | undefined
}

/** `isError`: what counts as one. */
export function createTurnTally(
  groundedSources: readonly string[],
  isError: (outcome: Outcome) => boolean = isErrorOutcome,
) {
  const turns = Object.fromEntries(
    ['total', ...OUTCOMES, 'contextLost', 'notAsked'].map((name) => [name, 0]),
  ) as TurnCounts
  const [contextSource, status] = [createCounts(), createCounts()]
  const [byOutcome, byHttpStatus, byCode] = [createCounts(), createCounts(), createCounts()]
  const threads = new Map<string, ThreadTally>()
  /** By the question's number. */
  const answers = new Map<number, number>()
  let errors = 0

  /** Of an answered turn with its context. */
  const addAnswer = (index: number, question: Question, isGrounded: boolean): void => {
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
  }

  return {
    turns,
    add: ({ index, question, outcome, contextLost, result }: Turn): void => {
      turns.total += 1
      turns[outcome ?? 'notAsked'] += 1
      if (outcome === undefined) return
      if (contextLost) turns.contextLost += 1
      if (outcome === 'answered' && result?.kind === 'reply') {
        contextSource.add(result.reply.contextSource)
        status.add(result.reply.status)
        if (!contextLost && question !== undefined)
          addAnswer(index, question, groundedSources.includes(result.reply.contextSource))
      } else if (isError(outcome)) {
        errors += 1
        byOutcome.add(outcome)
        byHttpStatus.add(String(statusOf(result) ?? 'none'))
        byCode.add(errorCodeOf(result) ?? 'none')
      }
    },
    finish: (): Pick<Figures, 'turns' | 'contextSource' | 'status' | 'coverage' | 'errors'> => {
      const asked = turns.total - turns.notAsked - turns.skipped
      return {
        turns,
        contextSource: contextSource.finish(),
        status: status.finish(),
        coverage: coverageOf([...threads.values()]),
        errors: {
          rate: ratio(errors, asked),
          errors,
          asked,
          byOutcome: byOutcome.finish(),
          byHttpStatus: byHttpStatus.finish(),
          byCode: byCode.finish(),
        },
      }
    },
  }
}

/** Answers of one thread, over all repeats. */
interface ThreadTally {
  grounded: number
  answered: number
  questions: number
  /** Sum over those questions of the square of their answered turns; equals `answered` without repeats. */
  squares: number
}

/** Fewer threads say too little of how threads differ. */
const FEWEST_THREADS = 5

/**
 * The rate counts turns; the intervals count questions, as asking one again says nothing of others: of questions sent
 * unequally often Kish's (Σa)²/Σa² (Kish 1965), their number where all have as many answers.
 */
function coverageOf(threads: readonly ThreadTally[]): Figures['coverage'] {
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
    cluster: cluster === undefined ? null : { ...cluster, threads: threads.length },
  }
}

/** Turns of which the journals hold no outcome: `expected` are all that were to have one. */
export function withUnsent(turns: TurnCounts, expected: number): TurnCounts {
  const lost = Math.max(0, expected - turns.total)
  return { ...turns, total: turns.total + lost, notAsked: turns.notAsked + lost }
}

/** Values come from the endpoint: a Map, since one may be called `__proto__`. */
export function createCounts() {
  const counts = new Map<string, number>()
  return {
    add: (value: string): void => {
      counts.set(value, (counts.get(value) ?? 0) + 1)
    },
    /** Most frequent first, then by value. */
    finish: (): Record<string, number> =>
      Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || compareTexts(a, b))),
  }
}
