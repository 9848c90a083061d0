// The gates of a run or of one shard: thresholds, errors, failed expectations, questions that must pass, odd statuses.
import type { GateOutcome, MustPassResult, ThresholdResult, Figures, Summary } from '../../domain/summary.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { type Message, message } from '../../domain/messages.ts'
import { describeShard, type ShardPosition } from '../../domain/shard.ts'
import type { Verdict } from '../verdict.ts'
import { evaluate, type Threshold } from './threshold.ts'

type Gated = Figures & Pick<Summary, 'pacing' | 'tags'>

/** Why the run fails, one a gate; none where every gate passed. */
export const reasonsOf = (gates: readonly GateOutcome[]): Message[] =>
  gates.filter(({ passed }) => !passed).map(({ reason }) => reason)

/**
 * Without a threshold on `errors`, every errored turn fails; without one on `passed`, every failed expectation does; without
 * one on `status`, too many answers that are no success do.
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
  const { errors } = figures.errors
  const ids = mustPass.map(({ id }) => id)
  /** Each under the name of the figure that a threshold may judge instead. */
  const own: GateOutcome[] = [
    { name: 'errors', passed: errors === 0, reason: message('turns-failed', { errors }) },
    expectationsGate(figures.expectations.failed),
    { name: 'must_pass', passed: ids.length === 0, reason: message('must-pass-failed', { ids }) },
    gateOfStatus(figures),
  ]
  return { thresholds: results, gates: [...named, ...own.filter(({ name }) => !replaces(thresholds, name))] }
}

/** The figures whose thresholds replace a gate: of one error code or of one tag, a threshold leaves the others to the gate. */
const REPLACING: Readonly<Record<string, readonly string[]>> = {
  errors: ['rate', 'errors'],
  expectations: ['rate', 'failed'],
}

/** Whether a threshold judges what the gate would judge. */
export const replaces = (thresholds: readonly Threshold[], gate: string): boolean =>
  thresholds.some(
    ({ metric: { path }, tag }) =>
      tag === undefined && path[0] === gate && (REPLACING[gate]?.includes(path[1] ?? '') ?? true),
  )

export const expectationsGate = (failed: number): GateOutcome => ({
  name: 'expectations',
  passed: failed === 0,
  reason: message('questions-failed', { failed }),
})

const MOST_OTHER_STATUS = 0.01
const MOST_NAMED = 5

export function gateOfStatus({ status, turns: { answered } }: Pick<Gated, 'status' | 'turns'>): GateOutcome {
  const others = Object.entries(status)
    .filter(([value]) => value !== 'success')
    .sort(([, one], [, other]) => other - one)
  const count = others.reduce((sum, [, one]) => sum + one, 0)
  return {
    name: 'status',
    passed: count <= MOST_OTHER_STATUS * answered,
    reason: message('status-not-success', { count, answered, most: others.slice(0, MOST_NAMED) }),
  }
}

/** Only what fails the whole run wherever it stands: thresholds are for `merge`; with a baseline, failed expectations too. */
export function gatesOfShard(
  gates: readonly GateOutcome[],
  { baseline }: Pick<Manifest['options'], 'baseline'>,
): GateOutcome[] {
  const names = baseline === null ? ['errors', 'must_pass', 'expectations'] : ['errors', 'must_pass']
  return gates.filter(({ name }) => names.includes(name))
}

/** A shard never passes: it fails the run, or ends with 0 and leaves the verdict to `merge`, so that the others run. */
export function verdictOfShard(
  { verdict, exitCode, reasons }: Verdict,
  shard: ShardPosition,
): Pick<Summary, 'verdict' | 'exitCode' | 'reasons'> {
  const name = describeShard(shard)
  return verdict === 'passed'
    ? { verdict: 'part', exitCode, reasons: [message('shard-not-judged', { shard: name })] }
    : { verdict, exitCode, reasons: [...reasons] }
}
