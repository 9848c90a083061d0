// Gates: thresholds, errors, expectations, `must_pass` questions, answers with a status other than success.
import type { Figures, GateOutcome, ListedQuestion } from '../../domain/summary.ts'
import { digits, WRITTEN } from '../../domain/format.ts'
import type { LoadFigures } from '../../domain/load.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
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
 * Each gate judges if no threshold is on its figure: any failed turn fails a run, and so do any failed
 * expectation (`failed`: anew) and more than 1 % of answers with a status other than success.
 */
export const runGates = (
  figures: Figures,
  mustPass: readonly ListedQuestion[],
  failed = figures.expectations.failed,
): GateOutcome[] => [
  errorsGate(figures.errors.errors),
  {
    name: 'expectations',
    passed: failed === 0,
    reason: makeMessage('questions-failed', `failed expectations: ${digits(failed)}`),
  },
  {
    name: 'must_pass',
    passed: mustPass.length === 0,
    reason: makeMessage('must-pass-failed', `failed must_pass questions: ${digits(mustPass.length)}`),
  },
  statusGate(figures),
]

/** A threshold on one of these figures replaces the gate; one on one error code or one tag does not. */
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

const MAX_OTHER_STATUS = 0.01
const MAX_NAMED = 5

export function statusGate({ status, turns: { answered } }: Figures | LoadFigures): GateOutcome {
  const others = Object.entries(status)
    .filter(([value]) => value !== 'success')
    .sort(([, some], [, other]) => other - some)
  const count = others.reduce((sum, [, times]) => sum + times, 0)
  const share = `${digits(count)} of ${digits(answered)}, allowed ${WRITTEN.share(MAX_OTHER_STATUS)}`
  const named = others.slice(0, MAX_NAMED).map(([value, times]) => `; ${value}: ${digits(times)}`)
  const text = `answers with a status other than success: ${share}${named.join('')}`
  return {
    name: 'status',
    passed: count <= MAX_OTHER_STATUS * answered,
    reason: makeMessage('status-not-success', text),
  }
}
