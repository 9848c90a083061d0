// The figures of a set of turns, gathered one turn at a time.
import { errorCodeOf } from '../domain/attempt.ts'
import { type Grade, isGrounded, type TurnRecord, type PassPolicy } from '../domain/turn.ts'
import { isErrorOutcome, OUTCOMES } from '../domain/outcome.ts'
import type { Quota } from '../domain/quota.ts'
import type { Figures, Latency, TurnCounts } from '../domain/summary.ts'
import { mean, nearestRank, sortSamples } from '../stats/quantile.ts'
import { coverageOf, createThreadTallies } from './coverage.ts'
import { passes } from './asked.ts'
import { accountWithin, ratio } from './turns.ts'

export interface FiguresGatherer {
  add(turn: TurnRecord, grade: Grade): void
  finish(): Figures
}

/**
 * `policy`: when a question that was asked several times counts as passed; expectations count questions. `quota`: what
 * usage is measured against.
 */
export function createFiguresGatherer(
  groundedSources: readonly string[],
  policy: PassPolicy = 'all',
  quota: Quota | null = null,
): FiguresGatherer {
  const turns = Object.fromEntries(
    ['total', ...OUTCOMES, 'contextLost', 'notAsked'].map((name) => [name, 0]),
  ) as TurnCounts
  const contextSource = createCounts()
  const status = createCounts()
  const byOutcome = createCounts()
  const byHttpStatus = createCounts()
  const byCode = createCounts()
  const expectations = createExpectationTally(policy)
  const tallies = createThreadTallies()
  const usage = { certain: 0, possible: 0, notCounted: 0 }
  const latency: number[] = []
  const failureLatency: number[] = []
  const wait: number[] = []
  let [errors, withoutContext] = [0, 0]

  const addError = ({ result, serviceMs }: TurnRecord): void => {
    errors += 1
    if (serviceMs !== undefined) failureLatency.push(serviceMs)
    const httpStatus = result !== undefined && 'httpStatus' in result ? result.httpStatus : undefined
    byHttpStatus.add(httpStatus === undefined ? 'none' : String(httpStatus))
    byCode.add(errorCodeOf(result) ?? 'none')
  }

  return {
    add: (turn, grade) => {
      turns.total += 1
      expectations.add(turn.index, grade)
      if (turn.outcome === undefined) turns.notAsked += 1
      else turns[turn.outcome] += 1
      if (turn.contextLost && turn.outcome !== undefined) turns.contextLost += 1
      usage.certain += turn.usage.certain
      usage.possible += turn.usage.possible
      usage.notCounted += turn.usage.notCounted
      if (turn.waitMs !== undefined) wait.push(turn.waitMs)
      if (turn.outcome === 'answered' && turn.result?.kind === 'reply') {
        contextSource.add(turn.result.reply.contextSource)
        status.add(turn.result.reply.status)
        if (turn.serviceMs !== undefined) latency.push(turn.serviceMs)
        const isFromKnowledgeBase = isGrounded(turn, groundedSources)
        if (isFromKnowledgeBase === undefined) withoutContext += 1
        else tallies.add(turn, isFromKnowledgeBase)
      } else if (turn.outcome !== undefined && isErrorOutcome(turn.outcome)) {
        byOutcome.add(turn.outcome)
        addError(turn)
      }
    },
    finish: () => {
      const asked = turns.total - turns.notAsked - turns.skipped
      return {
        turns,
        contextSource: contextSource.finish(),
        status: status.finish(),
        coverage: coverageOf(tallies.finish(), { errors: errors + turns.skipped, context: withoutContext }),
        expectations: expectations.finish(turns.notAsked === 0),
        errors: {
          rate: ratio(errors, asked),
          errors,
          asked,
          byOutcome: byOutcome.finish(),
          byHttpStatus: byHttpStatus.finish(),
          byCode: byCode.finish(),
        },
        latencyMs: summariseLatency(latency),
        failureLatencyMs: summariseLatency(failureLatency),
        waitMs: summariseLatency(wait),
        quota: accountWithin(usage, quota),
      }
    },
  }
}

const FEWEST_FOR_P99 = 10

function summariseLatency(samples: readonly number[]): Latency {
  const sorted = sortSamples(samples)
  const at = (p: number): number | null => nearestRank(sorted, p) ?? null
  return {
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    // Of fewer values it is nothing but their largest.
    p99: sorted.length < FEWEST_FOR_P99 ? null : at(0.99),
    max: at(1),
    mean: mean(sorted) ?? null,
    count: sorted.length,
  }
}

interface Counts {
  add(value: string): void
  /** Most frequent first, then by value. */
  finish(): Record<string, number>
}

/** Values come from the endpoint: a Map, since one may be called `__proto__`. */
function createCounts(): Counts {
  const counts = new Map<string, number>()
  return {
    add: (value) => counts.set(value, (counts.get(value) ?? 0) + 1),
    finish: () =>
      Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : a > b ? 1 : 0))),
  }
}

/** Questions by what became of their expectations, over their repeats. */
interface ExpectationTally {
  /** Repeats of a question, by its number, come one after the other. */
  add(question: number, grade: Grade): void
  /** `isWhole`: every turn was asked. */
  finish(isWhole: boolean): Figures['expectations']
}

function createExpectationTally(policy: PassPolicy): ExpectationTally {
  const counts = { passed: 0, failed: 0, none: 0, notGraded: 0 }
  let notAsked = 0
  let question: number | undefined
  let grades: Grade[] = []

  const close = (): void => {
    const [first] = grades
    if (first === undefined) return
    const verdict = passes(policy, grades)
    if (verdict !== undefined) counts[verdict ? 'passed' : 'failed'] += 1
    else if (grades.every(isNotAsked)) notAsked += 1
    else counts[first.kind === 'none' ? 'none' : 'notGraded'] += 1
    grades = []
  }
  return {
    add: (asked, grade) => {
      if (asked !== question) close()
      question = asked
      grades.push(grade)
    },
    finish: (isWhole) => {
      close()
      const rate = ratio(counts.passed, counts.passed + counts.failed)
      return { rate, ...counts, ...(isWhole ? {} : { notAsked }) }
    },
  }
}

const isNotAsked = (grade: Grade): boolean => grade.kind === 'notGraded' && grade.reason === 'notAsked'
