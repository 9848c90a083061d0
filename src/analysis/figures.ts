// The figures of turns, for a run, a tag or a load test.
import { errorCodeOf, statusOf } from '../domain/attempt.ts'
import { isErrorOutcome, type Outcome, OUTCOMES } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { Quota } from '../domain/quota.ts'
import type { Figures, Latency } from '../domain/summary.ts'
import { compareTexts } from '../domain/text.ts'
import { isGrounded, type GradedTurn, type PassPolicy, type TurnRecord } from '../domain/turn.ts'
import { type Cluster, clusterInterval, total, weightedInterval, wilsonOfShare } from '../stats/intervals.ts'
import { mean, nearestRank, sortSamples } from '../stats/quantile.ts'
import { threadKey } from './questions.ts'
import { quotaFigures } from './quota.ts'
import { passes, type Repeats } from './repeats.ts'
import { ratio } from './turns.ts'

type FiguresCollector = ReturnType<typeof createFiguresCollector>

interface FiguresOptions {
  readonly groundedSources: readonly string[]
  readonly passPolicy: PassPolicy
  /** Null: there is no share of the quota. */
  readonly quota: Quota | null
  readonly isWeighted: boolean
  /** False where only rates and counts are read: the others are null. */
  readonly hasIntervals?: boolean
}

/** Figures of questions that are added one after the other. `isOfTag`: the demand has no interval. */
export function createFiguresCollector(
  { groundedSources, passPolicy, quota, isWeighted, hasIntervals = true }: FiguresOptions,
  isOfTag = false,
) {
  const tally = createTurnTally(groundedSources, isErrorOutcome, hasIntervals)
  const demand = isWeighted ? createDemandTally(groundedSources, hasIntervals && !isOfTag) : undefined
  const expectations = { passed: 0, failed: 0, none: 0, notGraded: 0 }
  const usage = { certain: 0, possible: 0, notCounted: 0 }
  const [latency, failureLatency, wait]: [number[], number[], number[]] = [[], [], []]
  return {
    /** Adds the repeats of one question. Each turn counts, but expectations count once per question. */
    add: (repeats: Repeats): void => {
      const found = expectationOf(repeats, passPolicy)
      demand?.add(repeats)
      if (found !== undefined) expectations[found] += 1
      for (const { turn } of repeats) {
        const { outcome, serviceMs, waitMs } = turn
        tally.add(turn)
        usage.certain += turn.usage.certain
        usage.possible += turn.usage.possible
        usage.notCounted += turn.usage.notCounted
        if (waitMs !== undefined) wait.push(waitMs)
        if (serviceMs === undefined || outcome === undefined) continue
        if (outcome === 'answered') latency.push(serviceMs)
        else if (isErrorOutcome(outcome)) failureLatency.push(serviceMs)
      }
    },
    finish: (expected?: number): Figures => {
      const { passed, failed } = expectations
      const { coverage, ...counted } = tally.finish(expected)
      return {
        ...counted,
        coverage: demand === undefined ? coverage : { ...coverage, weighted: demand.finish() },
        expectations: { rate: ratio(passed, passed + failed), ...expectations },
        latencyMs: summariseLatency(latency),
        failureLatencyMs: summariseLatency(failureLatency),
        waitMs: summariseLatency(wait),
        quota: quotaFigures(usage, quota),
      }
    },
  }
}

/** Figures overall and by tag. `tags`: those to count; absent, all that the questions have. */
export function createTaggedFigures(options: FiguresOptions, tags?: ReadonlySet<string>) {
  const overall = createFiguresCollector(options)
  const byTag = new Map<string, FiguresCollector>()
  return {
    add: (repeats: Repeats): void => {
      overall.add(repeats)
      for (const tag of new Set(repeats[0].turn.question.tags)) {
        if (tags?.has(tag) === false) continue
        const figures = byTag.get(tag) ?? createFiguresCollector(options, true)
        byTag.set(tag, figures)
        figures.add(repeats)
      }
    },
    finish: (expected?: number) => ({
      overall: overall.finish(expected),
      tags: Object.fromEntries(
        [...byTag].sort(([a], [b]) => compareTexts(a, b)).map(([tag, figures]) => [tag, figures.finish()]),
      ),
    }),
  }
}

/** Undefined if the question has expectations and was not sent. */
function expectationOf(repeats: readonly GradedTurn[], policy: PassPolicy) {
  const grades = repeats.map(({ grade }) => grade)
  const verdict = passes(policy, grades)
  if (verdict !== undefined) return verdict ? 'passed' : 'failed'
  if (repeats.every(({ turn, grade }) => grade.kind === 'notGraded' && turn.outcome === undefined))
    return undefined
  return grades[0]?.kind === 'none' ? 'none' : 'notGraded'
}

const MIN_FOR_P99 = 10

function summariseLatency(samples: readonly number[]): Latency {
  const sorted = sortSamples(samples)
  const at = (p: number): number | null => nearestRank(sorted, p) ?? null
  return {
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    // With fewer values, p99 would be the maximum.
    p99: sorted.length < MIN_FOR_P99 ? null : at(0.99),
    max: at(1),
    mean: mean(sorted) ?? null,
    count: sorted.length,
  }
}

/** `result` decided the outcome. It is undefined if the turn was skipped or its record is lost. */
type Turn = Pick<TurnRecord, 'index' | 'outcome' | 'contextLost' | 'result'> & {
  readonly question: Question | undefined
}

/**
 * Outcomes, errors, counts of `contextSource` and status, and coverage. Takes turns in any order.
 * `hasIntervals`: false where only rates and counts are read, which takes a sixth of the time.
 */
export function createTurnTally(
  groundedSources: readonly string[],
  isError: (outcome: Outcome) => boolean = isErrorOutcome,
  hasIntervals = true,
) {
  const turns = Object.fromEntries(
    ['total', ...OUTCOMES, 'contextLost', 'notSent'].map((name) => [name, 0]),
  ) as Figures['turns']
  const [contextSource, status] = [createCounts(), createCounts()]
  const [byOutcome, byHttpStatus, byCode] = [createCounts(), createCounts(), createCounts()]
  let [errors, grounded, inContext] = [0, 0, 0]
  /** Answers with their context: grounded and all by thread, and their number by question. */
  const threads = createThreadShares()
  const answers = new Map<number, number>()
  return {
    add: ({ index, question, outcome, contextLost, result }: Turn): void => {
      turns.total += 1
      turns[outcome ?? 'notSent'] += 1
      if (outcome === undefined) return
      if (contextLost) turns.contextLost += 1
      if (outcome === 'answered' && result?.kind === 'reply') {
        contextSource.add(result.reply.contextSource)
        status.add(result.reply.status)
        if (contextLost || question === undefined) return
        const isSuccess = groundedSources.includes(result.reply.contextSource)
        inContext += 1
        if (isSuccess) grounded += 1
        if (!hasIntervals) return
        threads.add(question, isSuccess ? 1 : 0, 1)
        answers.set(index, (answers.get(index) ?? 0) + 1)
      } else if (isError(outcome)) {
        errors += 1
        byOutcome.add(outcome)
        byHttpStatus.add(String(statusOf(result) ?? 'none'))
        byCode.add(errorCodeOf(result) ?? 'none')
      }
    },
    soFar: () => ({ answered: turns.answered, errors, coverage: ratio(grounded, inContext) }),
    /**
     * `expected`: the number of turns that the run should have. Those missing from the journals count as not
     * sent.
     */
    finish: (expected = 0): Pick<Figures, 'turns' | 'contextSource' | 'status' | 'coverage' | 'errors'> => {
      const sent = turns.total - turns.notSent - turns.skipped
      const lost = Math.max(0, expected - turns.total)
      const coverage = { rate: ratio(grounded, inContext), grounded, answered: inContext }
      return {
        turns: { ...turns, total: turns.total + lost, notSent: turns.notSent + lost },
        contextSource: contextSource.finish(),
        status: status.finish(),
        coverage: { ...coverage, ...intervalsOf(threads.all(), [...answers.values()]) },
        errors: {
          rate: ratio(errors, sent),
          errors,
          sent,
          byOutcome: byOutcome.finish(),
          byHttpStatus: byHttpStatus.finish(),
          byCode: byCode.finish(),
        },
      }
    },
  }
}

/** The successes and trials of each thread, whose turns are not independent. */
function createThreadShares() {
  const threads = new Map<string, { -readonly [K in keyof Cluster]: Cluster[K] }>()
  return {
    add: (question: Question, successes: number, trials: number): void => {
      const key = threadKey(question)
      const thread = threads.get(key) ?? { successes: 0, trials: 0 }
      threads.set(key, thread)
      thread.successes += successes
      thread.trials += trials
    },
    all: (): readonly Cluster[] => [...threads.values()],
  }
}

/** Fewer threads do not show how threads differ. */
const MIN_THREADS = 5

/**
 * The rate counts turns. The intervals count questions, because a repeat says nothing about other questions:
 * their effective number (Σa)²/Σa² (Kish 1965), which is their number if all have equally many answers.
 * `answers`: the number of answers of each question.
 */
function intervalsOf(
  threads: readonly Cluster[],
  answers: readonly number[],
): Pick<Figures['coverage'], 'low' | 'high' | 'cluster'> {
  if (threads.length < MIN_THREADS) return { low: null, high: null, cluster: null }
  const { successes: grounded, trials: answered } = total(threads)
  const independent = answered ** 2 / answers.reduce((sum, count) => sum + count ** 2, 0)
  const wilson = wilsonOfShare(grounded / answered, independent)
  const cluster = answers.length > threads.length ? clusterInterval(threads, independent) : undefined
  return { ...wilson, cluster: cluster === undefined ? null : { ...cluster, threads: threads.length } }
}

/**
 * The coverage of the demand: each answered question counts its weight once, by the share of its answers that
 * are grounded, however often it was sent.
 */
function createDemandTally(groundedSources: readonly string[], hasIntervals: boolean) {
  const threads = createThreadShares()
  const weights: number[] = []
  let [grounded, answered] = [0, 0]
  return {
    add: (repeats: Repeats): void => {
      const { question } = repeats[0].turn
      const answers = repeats
        .map(({ turn }) => isGrounded(turn, groundedSources))
        .filter((isSuccess) => isSuccess !== undefined)
      if (answers.length === 0) return
      const weight = question.weight ?? 1
      const part = weight * (answers.filter(Boolean).length / answers.length)
      grounded += part
      answered += weight
      if (!hasIntervals) return
      weights.push(weight)
      threads.add(question, part, weight)
    },
    finish: (): NonNullable<Figures['coverage']['weighted']> => {
      const figures = { rate: ratio(grounded, answered), grounded, answered }
      if (!hasIntervals) return figures
      const clusters = threads.all()
      const interval = clusters.length < MIN_THREADS ? undefined : weightedInterval(clusters, weights)
      return { ...figures, low: interval?.low ?? null, high: interval?.high ?? null }
    },
  }
}

/** A Map, because values come from the endpoint and one may be `__proto__`. Counted as they come. */
export function createCounts() {
  const counts = new Map<string, number>()
  return {
    add: (value: string): void => {
      counts.set(value, (counts.get(value) ?? 0) + 1)
    },
    /** Sorted by count, highest first, then by value. */
    finish: (): Record<string, number> =>
      Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || compareTexts(a, b))),
  }
}
