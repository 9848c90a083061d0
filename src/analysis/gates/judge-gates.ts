// The gates of a run that is done: thresholds, errors, failed expectations, and questions that must pass.
import { digits } from '../../domain/digits.ts'
import type { GateOptions, MustPassResult, ThresholdResult } from '../../domain/gate.ts'
import { evaluate, type Gated } from './evaluate.ts'
import type { Threshold } from './expression.ts'

export interface GateResults {
  readonly thresholds: readonly ThresholdResult[]
  /** Why the run fails, a sentence a gate; none where every gate passed. */
  readonly reasons: readonly string[]
}

/**
 * Without a threshold on `errors` or an allowance, every errored turn fails; without one on `passed`, every failed
 * expectation does. A threshold for one tag leaves the rule to the others, and so replaces nothing.
 */
export function judgeGates(
  thresholds: readonly Threshold[],
  { allowErrors }: Pick<GateOptions, 'allowErrors'>,
  figures: Gated,
  mustPass: readonly MustPassResult[],
): GateResults {
  const results = thresholds.map((threshold) => evaluate(threshold, figures))
  return {
    thresholds: results,
    reasons: [
      ...results.filter(({ passed }) => !passed).map(({ expression, reason }) => `${expression}: ${reason}`),
      ...judgeTurns(thresholds, allowErrors, figures, mustPass),
    ],
  }
}

/** The rules about single turns, as far as no threshold replaces them. */
export function judgeTurns(
  thresholds: readonly Threshold[],
  allowErrors: string | null,
  figures: Pick<Gated, 'errors' | 'expectations'>,
  mustPass: readonly MustPassResult[],
): string[] {
  const isReplaced = (part: 'errors' | 'expectations'): boolean =>
    thresholds.some(({ metric, tag }) => tag === undefined && metric.path[0] === part)
  return [
    ...(isReplaced('errors') && allowErrors === null ? [] : judgeErrors(figures.errors, allowErrors)),
    ...(isReplaced('expectations') ? [] : judgeExpectations(figures.expectations, mustPass)),
    ...judgeMustPass(mustPass),
  ]
}

function judgeErrors({ errors, asked }: Gated['errors'], allowed: string | null): string[] {
  const most = mostErrors(allowed, asked)
  if (errors <= most) return []
  const what = errors === 1 ? '1 turn ended in an error' : `${digits(errors)} turns ended in errors`
  return [allowed === null ? what : `${what} of ${digits(asked)} asked, allowed ${allowed}`]
}

function mostErrors(allowed: string | null, asked: number): number {
  if (allowed === null) return 0
  return allowed.endsWith('%') ? (Number(allowed.slice(0, -1)) / 100) * asked : Number(allowed)
}

/** What passed when it was confirmed fails nothing. */
function judgeExpectations(
  { failed: atFirst }: Gated['expectations'],
  mustPass: readonly MustPassResult[],
): string[] {
  const failed = atFirst - mustPass.filter(({ graded, confirmed }) => graded && confirmed).length
  if (failed <= 0) return []
  return [
    failed === 1
      ? '1 question failed its expectations'
      : `${digits(failed)} questions failed their expectations`,
  ]
}

const MOST_NAMED = 5

function judgeMustPass(mustPass: readonly MustPassResult[]): string[] {
  const failed = mustPass.filter(({ confirmed }) => !confirmed)
  if (failed.length === 0) return []
  const names = failed.slice(0, MOST_NAMED).map(({ id }) => id)
  const more = failed.length > MOST_NAMED ? [`and ${digits(failed.length - MOST_NAMED)} more`] : []
  return [`must pass, and did not: ${[...names, ...more].join(', ')}`]
}
