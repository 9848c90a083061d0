// The figures of turns, for a run, a tag or a load test.
import { ratio } from '../../domain/counts.ts'
import { isErrorOutcome, type Outcome, OUTCOMES } from '../../domain/outcome.ts'
import type { Question } from '../../domain/question.ts'
import type { Quota } from '../../domain/quota.ts'
import type { Figures, Latency } from '../../domain/summary.ts'
import { compareTexts } from '../../domain/text.ts'
import { isGrounded, type PassPolicy, type Turn } from '../../domain/turn.ts'
import { type Cluster, clusterInterval, weightedInterval, wilsonOfShare } from '../../stats/intervals.ts'
import { mean, nearestRank, sortSamples } from '../../stats/quantile.ts'
import { addUsage, noUsage, quotaFigures } from './account.ts'
import { threadKey } from './fold.ts'
import { groupRepeats, mustPassOf, passes, type Repeats } from './graded.ts'

interface FiguresOptions {
  readonly groundedSources: readonly string[]
  readonly passPolicy: PassPolicy
  readonly quota: Quota | null
  readonly isWeighted: boolean
  /** False skips the intervals, where only rates and counts are read: that takes a sixth of the time. */
  readonly hasIntervals?: boolean
}

export function countFigures(turns: Iterable<Turn>, options: FiguresOptions, tags?: ReadonlySet<string>) {
  const figures = createFigures(options, tags)
  for (const repeats of groupRepeats(turns)) figures.add(repeats)
  return figures.finish()
}

export function createFigures(options: FiguresOptions, tags?: ReadonlySet<string>) {
  const overall = createCount(options)
  const byTag = new Map<string, ReturnType<typeof createCount>>()
  const broken: NonNullable<ReturnType<typeof mustPassOf>>[] = []
  return {
    add: (repeats: Repeats<Turn>): void => {
      overall.add(repeats)
      const failed = mustPassOf(repeats, options.passPolicy)
      if (failed !== undefined) broken.push(failed)
      for (const tag of new Set(repeats[0].question.tags)) {
        if (tags?.has(tag) === false) continue
        const count = byTag.get(tag) ?? createCount({ ...options, isOfTag: true })
        byTag.set(tag, count)
        count.add(repeats)
      }
    },
    finish: (expected?: number) => ({
      overall: overall.finish(expected),
      tags: Object.fromEntries(
        [...byTag].sort(([a], [b]) => compareTexts(a, b)).map(([tag, count]) => [tag, count.finish()]),
      ),
      broken,
    }),
  }
}

interface CountOptions extends FiguresOptions {
  readonly isOfTag?: boolean
  readonly isError?: (outcome: Outcome) => boolean
}

/** Each turn counts, but expectations and demand count once per question. Takes questions in any order. */
export function createCount(options: CountOptions) {
  const { groundedSources, isWeighted, hasIntervals = true, isError = isErrorOutcome } = options
  const turns = Object.fromEntries(
    ['total', ...OUTCOMES, 'contextLost', 'notSent'].map((name) => [name, 0]),
  ) as Figures['turns']
  const [contextSource, status] = [createCounts(), createCounts()]
  const [byOutcome, byHttpStatus, byCode] = [createCounts(), createCounts(), createCounts()]
  const coverage = createShare(hasIntervals)
  const demand = createShare(hasIntervals && options.isOfTag !== true)
  const expectations = { passed: 0, failed: 0, none: 0, notGraded: 0 }
  const usage = noUsage()
  const [latency, failureLatency, wait]: [number[], number[], number[]] = [[], [], []]
  let errors = 0

  const addTurn = (turn: Turn): void => {
    const { question, outcome, facts, serviceMs, waitMs } = turn
    turns.total += 1
    turns[outcome ?? 'notSent'] += 1
    addUsage(usage, turn)
    if (waitMs !== undefined) wait.push(waitMs)
    if (outcome === undefined) return
    if (turn.contextLost) turns.contextLost += 1
    if (outcome === 'answered') {
      if (facts.contextSource !== undefined) contextSource.add(facts.contextSource)
      if (facts.status !== undefined) status.add(facts.status)
      if (serviceMs !== undefined) latency.push(serviceMs)
    } else if (isError(outcome)) {
      errors += 1
      byOutcome.add(outcome)
      byHttpStatus.add(String(facts.httpStatus ?? 'none'))
      byCode.add(facts.code ?? 'none')
      if (serviceMs !== undefined) failureLatency.push(serviceMs)
    }
    const grounded = isGrounded(turn, groundedSources)
    if (grounded !== undefined) coverage.add(question, grounded ? 1 : 0, 1)
  }
  return {
    add: (repeats: Repeats<Turn>): void => {
      const { question } = repeats[0]
      for (const turn of repeats) addTurn(turn)
      const expectation = expectationOf(repeats, options.passPolicy)
      if (expectation !== undefined) expectations[expectation] += 1
      if (!isWeighted) return
      // However often it was sent: by the share of its answers that are grounded.
      const answers = repeats.flatMap((turn) => isGrounded(turn, groundedSources) ?? [])
      const { weight = 1 } = question
      if (answers.length > 0)
        demand.add(question, weight * (answers.filter(Boolean).length / answers.length), weight)
    },
    soFar: () => ({ answered: turns.answered, errors, coverage: coverage.value().rate }),
    /** Turns of the `expected` number that are missing from the journals count as not sent. */
    finish: (expected = 0): Figures => {
      const sent = turns.total - turns.notSent - turns.skipped
      const lost = Math.max(0, expected - turns.total)
      const { passed, failed } = expectations
      return {
        turns: { ...turns, total: turns.total + lost, notSent: turns.notSent + lost },
        contextSource: contextSource.finish(),
        status: status.finish(),
        coverage: { ...coverage.counted(), ...(isWeighted && { weighted: demand.weighted() }) },
        expectations: { rate: ratio(passed, passed + failed), ...expectations },
        errors: {
          rate: ratio(errors, sent),
          errors,
          sent,
          byOutcome: byOutcome.finish(),
          byHttpStatus: byHttpStatus.finish(),
          byCode: byCode.finish(),
        },
        latencyMs: summariseLatency(latency),
        failureLatencyMs: summariseLatency(failureLatency),
        waitMs: summariseLatency(wait),
        quota: quotaFigures(usage, options.quota),
      }
    },
  }
}

function expectationOf(repeats: Repeats<Turn>, policy: PassPolicy) {
  const verdict = passes(policy, repeats)
  if (verdict !== undefined) return verdict ? 'passed' : 'failed'
  if (repeats.every(({ grade, outcome }) => grade === 'notGraded' && outcome === undefined)) return undefined
  return repeats[0].grade === 'none' ? 'none' : 'notGraded'
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

/** Fewer threads do not show how threads differ. */
const MIN_THREADS = 5

/** Counts by thread, whose turns are not independent, and by question. */
function createShare(hasIntervals: boolean) {
  const threads = new Map<string, { -readonly [K in keyof Cluster]: Cluster[K] }>()
  const answersOf = new Map<Question, number>()
  let [grounded, answered] = [0, 0]
  const value = () => ({ rate: ratio(grounded, answered), grounded, answered })
  return {
    add: (question: Question, successes: number, trials: number): void => {
      grounded += successes
      answered += trials
      if (!hasIntervals) return
      const key = threadKey(question)
      const thread = threads.get(key) ?? { successes: 0, trials: 0 }
      threads.set(key, thread)
      thread.successes += successes
      thread.trials += trials
      answersOf.set(question, (answersOf.get(question) ?? 0) + trials)
    },
    value,
    /**
     * The rate counts turns. The intervals count questions, because a repeat says nothing about others: their
     * effective number is (Σa)²/Σa² (Kish 1965).
     */
    counted: (): Figures['coverage'] => {
      if (threads.size < MIN_THREADS) return { ...value(), low: null, high: null, cluster: null }
      const answers = [...answersOf.values()]
      const independent = answered ** 2 / answers.reduce((sum, count) => sum + count ** 2, 0)
      const wilson = wilsonOfShare(grounded / answered, independent)
      const cluster =
        answers.length > threads.size ? clusterInterval(threads.values(), independent) : undefined
      return { ...value(), ...wilson, cluster: cluster ? { ...cluster, threads: threads.size } : null }
    },
    /** Each answered question counts its weight once. */
    weighted: (): NonNullable<Figures['coverage']['weighted']> => {
      if (!hasIntervals) return value()
      const isEnough = threads.size >= MIN_THREADS
      const interval = isEnough ? weightedInterval([...threads.values()], [...answersOf.values()]) : undefined
      return { ...value(), low: interval?.low ?? null, high: interval?.high ?? null }
    },
  }
}

/** A Map counts, because values come from the endpoint and one may be `__proto__`. */
export function createCounts() {
  const counts = new Map<string, number>()
  return {
    add: (value: string): void => {
      counts.set(value, (counts.get(value) ?? 0) + 1)
    },
    finish: (): Record<string, number> =>
      Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || compareTexts(a, b))),
  }
}
