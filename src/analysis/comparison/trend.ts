// How the figures went over more than two runs.
import type { Trend } from '../../domain/comparison/comparison.ts'
import type { Summary } from '../../domain/summary.ts'
import { ratio } from '../turns.ts'
import { availabilityOf, type TurnSummary } from './turn-summary.ts'

export type TrendTurn = Pick<TurnSummary, 'id' | 'message' | 'outcome' | 'grounded' | 'passed'>

export interface TrendRun {
  /** Undefined where the run has none: its values are null. */
  readonly summary: Summary | undefined
  /** Each question and repeat once, in any order. */
  readonly turns: Iterable<TrendTurn>
}

/**
 * Baseline first; empty for fewer than three runs. Coverage, passed and errors are means over the questions (by id and
 * message) that have a value in every run, the repeats of a question folded to their mean first: so they move when
 * answers do, and not when the set does. A run without any value of a figure has null there, and does not count among
 * "every run". The other figures are as each run's summary has them, over whatever it asked.
 *
 * No direction in words: of three runs without any change, one time in three the values rise or fall throughout.
 */
export function trendOf(runs: readonly TrendRun[]): Trend[] {
  if (runs.length < 3) return []
  const shared = function (
    figure: Trend['figure'],
    valueOf: (turn: TrendTurn) => boolean | undefined,
  ): Trend {
    const values: ReadonlyMap<string, number>[] = []
    for (const { turns } of runs) values.push(valuesOf(turns, valueOf))
    return { figure, unit: 'share', ...overShared(values) }
  }
  const own = (
    figure: Trend['figure'],
    unit: Trend['unit'],
    valueOf: (summary: Summary) => number | null,
  ): Trend => ({
    figure,
    unit,
    questions: null,
    values: runs.map(({ summary }) => (summary === undefined ? null : valueOf(summary))),
  })
  return [
    shared('coverage', ({ grounded }) => grounded),
    shared('passed', ({ passed }) => passed),
    shared('errors', isError),
    own('latency.p50', 'ms', ({ latencyMs }) => latencyMs.p50),
    own('latency.p95', 'ms', ({ latencyMs }) => latencyMs.p95),
    own('wait.p95', 'ms', ({ waitMs }) => waitMs.p95),
    own('callsPerTurn', 'callsPerTurn', ({ quota, errors }) => ratio(quota.attempts, errors.asked)),
    own('quota.max', 'calls', ({ quota }) => quota.max),
    own('rate429', 'share', ({ pacing }) => pacing.rate429),
  ]
}

/** Undefined: not asked. */
function isError(turn: TrendTurn): boolean | undefined {
  const availability = availabilityOf(turn)
  return availability === 'answer' || availability === 'error' ? availability === 'error' : undefined
}

/** Question → share of its repeats with a value. */
function valuesOf(
  turns: Iterable<TrendTurn>,
  valueOf: (turn: TrendTurn) => boolean | undefined,
): ReadonlyMap<string, number> {
  const sums = new Map<string, { yes: number; count: number }>()
  for (const turn of turns) {
    const value = valueOf(turn)
    if (value === undefined) continue
    const key = JSON.stringify([turn.id, turn.message])
    const sum = sums.get(key) ?? { yes: 0, count: 0 }
    sum.yes += Number(value)
    sum.count += 1
    sums.set(key, sum)
  }
  return new Map([...sums].map(([key, { yes, count }]) => [key, yes / count]))
}

function overShared(runs: readonly ReadonlyMap<string, number>[]): Pick<Trend, 'questions' | 'values'> {
  const filled = runs.filter(({ size }) => size > 0)
  const keys = [...(filled[0]?.keys() ?? [])].filter((key) => filled.every((run) => run.has(key)))
  const mean = (run: ReadonlyMap<string, number>): number | null =>
    run.size === 0 || keys.length === 0
      ? null
      : keys.reduce((sum, key) => sum + (run.get(key) ?? 0), 0) / keys.length
  return { questions: keys.length, values: runs.map(mean) }
}
