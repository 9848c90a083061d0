// The figures of a run, overall or of a tag, gathered one question at a time.
import type { GradedTurn, PassPolicy } from '../domain/turn.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { Quota } from '../domain/quota.ts'
import type { Figures, Latency } from '../domain/summary.ts'
import { mean, nearestRank, sortSamples } from '../stats/quantile.ts'
import { passes } from './repeats.ts'
import { createTurnTally } from './turn-tally.ts'
import { accountWithin } from './quota.ts'
import { ratio } from './turns.ts'

export type FiguresGatherer = ReturnType<typeof createFiguresGatherer>

/** `policy`: when a question that was sent several times counts as passed. `quota`: what usage is measured against. */
export function createFiguresGatherer(
  groundedSources: readonly string[],
  policy: PassPolicy = 'all',
  quota: Quota | null = null,
) {
  const tally = createTurnTally(groundedSources)
  const expectations = { passed: 0, failed: 0, none: 0, notGraded: 0 }
  const usage = { certain: 0, possible: 0, notCounted: 0 }
  const [latency, failureLatency, wait]: [number[], number[], number[]] = [[], [], []]

  /** Turns count one by one, expectations by question. */
  const add = (repeats: readonly GradedTurn[]): void => {
    const found = expectationOf(repeats, policy)
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
  }

  const finish = (): Figures => {
    const { passed, failed } = expectations
    return {
      ...tally.finish(),
      expectations: { rate: ratio(passed, passed + failed), ...expectations },
      latencyMs: summariseLatency(latency),
      failureLatencyMs: summariseLatency(failureLatency),
      waitMs: summariseLatency(wait),
      quota: accountWithin(usage, quota),
    }
  }
  return { add, finish }
}

/** Undefined for a question that has expectations and was not sent. */
function expectationOf(repeats: readonly GradedTurn[], policy: PassPolicy) {
  const grades = repeats.map(({ grade }) => grade)
  const verdict = passes(policy, grades)
  if (verdict !== undefined) return verdict ? 'passed' : 'failed'
  if (grades.every((grade) => grade.kind === 'notGraded' && grade.reason === 'notAsked')) return undefined
  return grades[0]?.kind === 'none' ? 'none' : 'notGraded'
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
