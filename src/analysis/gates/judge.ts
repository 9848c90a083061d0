// The gates of a run or of one shard: thresholds, errors, expectations, `must_pass` questions, answers with a status other than success.
import type { GateOutcome, MustPassResult, ThresholdResult, Figures, Summary } from '../../domain/summary.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { type Message, message } from '../../domain/messages.ts'
import { describeShard, type ShardPosition } from '../../domain/shard.ts'
import type { Verdict } from '../verdict.ts'
import { evaluate, type Threshold } from './threshold.ts'

type Gated = Figures & Pick<Summary, 'pacing' | 'tags'>

/** The reasons of the failed gates. */
export const reasonsOf = (gates: readonly GateOutcome[]): Message[] =>
  gates.filter(({ passed }) => !passed).map(({ reason }) => reason)

/**
 * Without a threshold on `errors`, any failed turn fails the run. Without one on `passed`, any failed expectation does.
 * Without one on `status`, more than 1 % of answers with a status other than success do.
 */
export function judgeGates(
  thresholds: readonly Threshold[],
  figures: Gated,
  mustPass: readonly MustPassResult[],
): { readonly thresholds: readonly ThresholdResult[]; readonly gates: readonly GateOutcome[] } {
  const results = thresholds.map((threshold) => evaluate(threshold, figures))
  const named = results.map(({ expression, passed, reason }) => ({
    name: `threshold ${expression}`,
    passed,
    reason,
  }))
  const ids = mustPass.map(({ id }) => id)
  /** Named after the figure whose threshold replaces the gate. */
  const own: GateOutcome[] = [
    errorsGate(figures.errors.errors),
    expectationsGate(figures.expectations.failed),
    { name: 'must_pass', passed: ids.length === 0, reason: message('must-pass-failed', { ids }) },
    statusGate(figures),
  ]
  return { thresholds: results, gates: [...named, ...own.filter(({ name }) => !replaces(thresholds, name))] }
}

/** Figures whose thresholds replace a gate. A threshold on one error code or one tag does not, so the gate judges the rest. */
const REPLACING_FIGURES: Readonly<Record<string, readonly string[]>> = {
  errors: ['rate', 'errors'],
  expectations: ['rate', 'failed'],
}

/** True if a threshold replaces the gate. */
export const replaces = (thresholds: readonly Threshold[], gate: string): boolean =>
  thresholds.some(
    ({ metric: { path }, tag }) =>
      tag === undefined && path[0] === gate && (REPLACING_FIGURES[gate]?.includes(path[1] ?? '') ?? true),
  )

export const errorsGate = (errors: number): GateOutcome => ({
  name: 'errors',
  passed: errors === 0,
  reason: message('turns-failed', { errors }),
})

export const expectationsGate = (failed: number): GateOutcome => ({
  name: 'expectations',
  passed: failed === 0,
  reason: message('questions-failed', { failed }),
})

const MAX_OTHER_STATUS = 0.01
const MAX_NAMED = 5

export function statusGate({ status, turns: { answered } }: Pick<Gated, 'status' | 'turns'>): GateOutcome {
  const others = Object.entries(status)
    .filter(([value]) => value !== 'success')
    .sort(([, one], [, other]) => other - one)
  const count = others.reduce((sum, [, one]) => sum + one, 0)
  return {
    name: 'status',
    passed: count <= MAX_OTHER_STATUS * answered,
    reason: message('status-not-success', { count, answered, most: others.slice(0, MAX_NAMED) }),
  }
}

/** The gates that fail the whole run from any shard. `merge` judges thresholds and, with a baseline, failed expectations. */
export function shardGates(
  gates: readonly GateOutcome[],
  { baseline }: Pick<Manifest['options'], 'baseline'>,
): GateOutcome[] {
  const names = baseline === null ? ['errors', 'must_pass', 'expectations'] : ['errors', 'must_pass']
  return gates.filter(({ name }) => names.includes(name))
}

/** A shard never passes. It fails the run, or exits with 0 and leaves the verdict to `merge`, so that CI runs the other shards. */
export function shardVerdict(
  { verdict, exitCode, reasons }: Verdict,
  shard: ShardPosition,
): Pick<Summary, 'verdict' | 'exitCode' | 'reasons'> {
  const name = describeShard(shard)
  return verdict === 'passed'
    ? { verdict: 'part', exitCode, reasons: [message('shard-not-judged', { shard: name })] }
    : { verdict, exitCode, reasons: [...reasons] }
}
