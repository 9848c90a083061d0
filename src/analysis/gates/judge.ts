// The gates of a run or of one shard: thresholds, errors, expectations, `must_pass` questions, answers with a
// status other than success; rules of a comparison.
import type { Row } from '../../domain/changes.ts'
import type { GateResult } from '../../domain/comparison.ts'
import type { Figures, GateOutcome, ListedQuestion, Summary } from '../../domain/summary.ts'
import { digits, WRITTEN } from '../../domain/format.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
import { editedNotes, listQuestions } from '../messages.ts'
import type { Stop } from '../../domain/stop.ts'
import type { PassPolicy } from '../../domain/turn.ts'
import { meetsPolicy } from '../repeats.ts'
import { joinReasons, verdictOfRun } from '../verdict.ts'
import { evaluate, type Threshold } from './threshold.ts'

export const reasonsOf = (gates: readonly GateOutcome[]): Message[] =>
  gates.filter(({ passed }) => !passed).map(({ reason }) => reason)

/** A gate of the command that is named after a figure gives way to a threshold on it. */
export function judgeGates(
  required: readonly Threshold[],
  figures: object,
  ofCommand: readonly GateOutcome[],
) {
  const thresholds = required.map((threshold) => evaluate(threshold, figures))
  const gates = thresholds.map(({ expression, passed, reason }): GateOutcome => {
    return { name: `threshold ${expression}`, passed, reason }
  })
  return { thresholds, gates: [...gates, ...ofCommand.filter(({ name }) => !replaces(required, name))] }
}

/**
 * The gates of a run. Without a threshold on `errors`, any failed turn fails it. Without one on `passed`, any
 * failed expectation does. Without one on `status`, more than 1 % of answers with a status other than success
 * do.
 */
export const runGates = (figures: Figures, mustPass: readonly ListedQuestion[]): GateOutcome[] => [
  errorsGate(figures.errors.errors),
  expectationsGate(figures.expectations.failed),
  {
    name: 'must_pass',
    passed: mustPass.length === 0,
    reason: makeMessage('must-pass-failed', `failed must_pass questions: ${listQuestions(mustPass)}`),
  },
  statusGate(figures),
]

/**
 * Figures whose thresholds replace a gate. A threshold on one error code or one tag does not, so the gate
 * judges the rest.
 */
const REPLACING_FIGURES: Readonly<Record<string, readonly string[]>> = {
  errors: ['rate', 'errors'],
  expectations: ['rate', 'failed'],
}

const replaces = (thresholds: readonly Threshold[], gate: string): boolean =>
  thresholds.some(
    ({ metric: { path }, tag }) =>
      tag === undefined && path[0] === gate && (REPLACING_FIGURES[gate]?.includes(path[1] ?? '') ?? true),
  )

export const errorsGate = (errors: number): GateOutcome => ({
  name: 'errors',
  passed: errors === 0,
  reason: makeMessage('turns-failed', `errors: ${digits(errors)}`),
})

export const expectationsGate = (failed: number): GateOutcome => ({
  name: 'expectations',
  passed: failed === 0,
  reason: makeMessage('questions-failed', `failed expectations: ${digits(failed)}`),
})

const MAX_OTHER_STATUS = 0.01
const MAX_NAMED = 5

export function statusGate({ status, turns: { answered } }: Pick<Figures, 'status' | 'turns'>): GateOutcome {
  const others = Object.entries(status)
    .filter(([value]) => value !== 'success')
    .sort(([, one], [, other]) => other - one)
  const count = others.reduce((sum, [, one]) => sum + one, 0)
  const share = `${digits(count)} of ${digits(answered)}, allowed ${WRITTEN.share(MAX_OTHER_STATUS)}`
  const named = others.slice(0, MAX_NAMED).map(([value, times]) => `; ${value}: ${digits(times)}`)
  const text = `answers with a status other than success: ${share}${named.join('')}`
  return {
    name: 'status',
    passed: count <= MAX_OTHER_STATUS * answered,
    reason: makeMessage('status-not-success', text),
  }
}

// ---- With a baseline: its rules are gates, and what failed there already fails none

/** `compared` is undefined if the baseline cannot be read. */
export function withBaselineGates(
  summary: Summary,
  stop: Stop | undefined,
  result: NonNullable<Summary['comparison']>,
  compared?: Outcomes & { readonly rules: readonly GateResult[]; readonly edited: number },
): Summary {
  const rules = (compared?.rules ?? []).map(({ rule, ...gate }) => ({ name: `baseline ${rule}`, ...gate }))
  const ofRun = compared === undefined ? summary.gates : withoutKnown(summary.gates, compared)
  const hasFailed = result.verdict === 'failed'
  const failed = makeMessage('baseline-failed', `compared with ${result.baseline}: ${result.reason}`)
  const gates = [...ofRun, ...rules]
  if (hasFailed && rules.every(({ passed }) => passed))
    gates.push({ name: 'baseline', passed: false, reason: failed })
  const failures = [...reasonsOf(ofRun), ...(hasFailed ? [failed] : [])]
  const isGated = summary.verdict !== 'done' || rules.length > 0
  const { verdict, exitCode, reasons } = verdictOfRun(stop, summary, failures, isGated)
  const all = [...reasons]
  // Not among the reasons of a run that fails for others.
  const known = exitCode === 0 ? (compared?.failing.known ?? 0) : 0
  if (known > 0)
    all.push(makeMessage('known-failures', `known failures (also in ${result.baseline}): ${digits(known)}`))
  // The reason of a failed comparison names them itself.
  if (!hasFailed) all.push(...editedNotes(compared?.edited ?? 0))
  return { ...summary, verdict, exitCode, reason: joinReasons(all), reasons: all, gates, comparison: result }
}

/** Only failed expectations that the baseline does not have fail their gate. */
export const withoutKnown = (gates: readonly GateOutcome[], { failing }: Outcomes): GateOutcome[] =>
  gates.map((gate) => (gate.name === 'expectations' && !gate.passed ? expectationsGate(failing.anew) : gate))

type Outcomes = ReturnType<typeof outcomesOf>

/** `before` holds outcomes in the baseline, by question; what fails now is `known` if it failed there. */
export function outcomesOf(rows: readonly Row[], policy: PassPolicy) {
  const fails = (side: Row['candidate']): boolean =>
    side !== null && side.passRate !== null && !meetsPolicy(policy, side.passRate, 1 - side.passRate)
  const before = rows.flatMap(({ id, baseline, candidate }) =>
    candidate === null || baseline?.outcome !== 'answered'
      ? []
      : [[id, fails(baseline) ? 'failed' : 'passed'] as const],
  )
  const failing = rows.filter(({ candidate }) => fails(candidate))
  const known = failing.filter(({ baseline, mustPass }) => fails(baseline) && !mustPass).length
  return { before: new Map(before), failing: { known, anew: failing.length - known } }
}
