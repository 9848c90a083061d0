// The gates of a run that is done: thresholds, errors, failed expectations, and questions that must pass.
import { message } from '../../domain/messages.ts'
import { digits } from '../../domain/text.ts'
import type { GateOutcome, MustPassResult, ThresholdResult } from '../../domain/gate.ts'
import { evaluate, type Gated } from './evaluate.ts'
import type { Threshold } from './expression.ts'

export interface GateResults {
  readonly thresholds: readonly ThresholdResult[]
  readonly gates: readonly GateOutcome[]
}

/** Why the run fails, a sentence a gate; none where every gate passed. */
export const reasonsOf = (gates: readonly GateOutcome[]): string[] =>
  gates.filter(({ passed }) => !passed).map(({ reason }) => reason)

/**
 * Without a threshold on `errors`, every errored turn fails; without one on `passed`, every failed
 * expectation does; without one on `status`, too many answers that are no success do. A threshold for one tag leaves the
 * rule to the others, and so replaces nothing.
 */
export function judgeGates(
  thresholds: readonly Threshold[],
  figures: Gated,
  mustPass: readonly MustPassResult[],
): GateResults {
  const results = thresholds.map((threshold) => evaluate(threshold, figures))
  return {
    thresholds: results,
    gates: [
      ...results.map(({ expression, passed, reason }) => ({
        name: `threshold ${expression}`,
        passed,
        reason: `${expression}: ${reason}`,
      })),
      ...judgeTurns(thresholds, figures, mustPass),
      ...(isReplaced(thresholds, 'status') ? [] : [judgeStatus(figures)]),
    ],
  }
}

/** The rules about single turns, as far as no threshold replaces them. */
export function judgeTurns(
  thresholds: readonly Threshold[],
  figures: Pick<Gated, 'errors' | 'expectations'>,
  mustPass: readonly MustPassResult[],
): GateOutcome[] {
  return [
    ...(isReplaced(thresholds, 'errors') ? [] : [judgeErrors(figures.errors)]),
    ...(isReplaced(thresholds, 'expectations') ? [] : [expectationsGate(figures.expectations.failed)]),
    judgeMustPass(mustPass),
  ]
}

const isReplaced = (thresholds: readonly Threshold[], part: 'errors' | 'expectations' | 'status'): boolean =>
  thresholds.some(({ metric, tag }) => tag === undefined && metric.path[0] === part)

/** The share of answers that may have a status other than `success`. */
const MOST_OTHER_STATUS = 0.01
const MOST_NAMED = 5

function judgeStatus({ status, turns: { answered } }: Pick<Gated, 'status' | 'turns'>): GateOutcome {
  const others = Object.entries(status)
    .filter(([value]) => value !== 'success')
    .sort(([, one], [, other]) => other - one)
  const count = others.reduce((sum, [, one]) => sum + one, 0)
  const named = others.slice(0, MOST_NAMED).map(([value, one]) => `${value} ${digits(one)}`)
  const what = `${digits(count)} of ${digits(answered)} answers have a status other than success`
  return {
    name: 'status',
    passed: count <= MOST_OTHER_STATUS * answered,
    reason: count === 0 ? what : `${what} (${named.join(', ')}), allowed 1%`,
  }
}

function judgeErrors({ errors }: Gated['errors']): GateOutcome {
  return { name: 'errors', passed: errors === 0, reason: message('turns-failed', { errors }).text }
}

export function expectationsGate(failed: number): GateOutcome {
  const { text } = message('questions-failed', { failed: Math.max(0, failed) })
  return { name: 'expectations', passed: failed <= 0, reason: text }
}

function judgeMustPass(mustPass: readonly MustPassResult[]): GateOutcome {
  if (mustPass.length === 0)
    return { name: 'must_pass', passed: true, reason: 'every must_pass question passed' }
  const names = mustPass.slice(0, MOST_NAMED).map(({ id }) => id)
  const more = mustPass.length > MOST_NAMED ? [`and ${digits(mustPass.length - MOST_NAMED)} more`] : []
  return {
    name: 'must_pass',
    passed: false,
    reason: `must pass, and did not: ${[...names, ...more].join(', ')}`,
  }
}
