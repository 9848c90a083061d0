// Gates and the verdict of a run. Printed verdicts and exit codes come only from here.
import { digits, makeMessage, type Message, WRITTEN } from '../../domain/format.ts'
import type { LoadFigures } from '../../domain/load.ts'
import { type EarlyStop, type Stop, stopMessage } from '../../domain/stop.ts'
import type { Figures, GateOutcome, ListedQuestion, RunState } from '../../domain/summary.ts'
import { evaluate, type Threshold } from './threshold.ts'

export interface EarlyEnd {
  readonly exitCode: number
  readonly reasons: Message[]
}

interface Judgement extends EarlyEnd {
  readonly verdict: 'passed' | 'failed' | 'done' | 'incomplete'
}

/**
 * `failed` are the reasons of failed gates, `passed` those of a pass. Without a gate of the user's, `passed`
 * is undefined: what fails nothing is done, not passed.
 */
export function judge(
  early: EarlyEnd | undefined,
  failed: Message[],
  passed: Message[] | undefined,
  done: Message[],
): Judgement {
  if (early !== undefined) return { verdict: 'incomplete', ...early }
  if (failed.length > 0) return { verdict: 'failed', exitCode: 1, reasons: failed }
  return passed === undefined
    ? { verdict: 'done', exitCode: 0, reasons: done }
    : { verdict: 'passed', exitCode: 0, reasons: passed }
}

export function verdictOfRun(
  stop: Stop | undefined,
  { turns, expectations }: Figures,
  failed: Message[],
  isGated: boolean,
  isFlaky = false,
): Judgement {
  const { answered, total, notSent } = turns
  const unfinished = notSent > 0 ? [turnsWithoutOutcome(notSent)] : []
  const damaged = [makeMessage('journal-damaged', 'the journal is damaged'), ...unfinished]
  const damage = notSent > 0 ? { exitCode: 4, reasons: damaged } : undefined
  const early = stop?.kind === 'done' ? damage : endedBy(stop, unfinished)
  const { failed: unmet, notGraded } = expectations
  const isWhole = answered === total && expectations.passed > 0 && unmet + notGraded === 0 && !isFlaky
  const passed = isWhole
    ? [
        makeMessage('every-turn-answered', 'every question was answered'),
        makeMessage('expectations-met', 'every expectation was met'),
      ]
    : [gatesPassed()]
  return judge(early, failed, isGated ? passed : undefined, [answeredOf(answered, total)])
}

export const joinReasons = (reasons: readonly Message[]): string => reasons.map(({ text }) => text).join('; ')

export function endedBy(stop: EarlyStop, otherReasons: readonly Message[] = []): EarlyEnd {
  let exitCode = stop?.kind === 'keyRefused' ? 3 : stop?.kind === 'fault' ? 5 : 4
  // A closed terminal (SIGHUP) counts as SIGTERM.
  if (stop?.kind === 'interrupted')
    exitCode = stop.signal === 'SIGTERM' || stop.signal === 'SIGHUP' ? 143 : 130
  return { exitCode, reasons: [stopMessage(stop), ...otherReasons] }
}

const WORST_FIRST: readonly (Stop['kind'] | 'died')[] = [
  ...(['fault', 'keyRefused', 'interrupted', 'died', 'storage', 'limiterLost'] as const),
  ...(['elsewhere', 'proxyRefused', 'quotaUsedUp', 'gaveUp', 'budget', 'timeUp', 'decided', 'done'] as const),
]

/** Returns undefined if a process died. */
export function worstStop(stops: readonly (Stop | undefined)[]): Stop | undefined {
  const ranks = stops.map((stop) => WORST_FIRST.indexOf(stop?.kind ?? 'died'))
  return stops[ranks.indexOf(Math.min(...ranks))]
}

export function stateAfter(stop: Stop | undefined): RunState {
  if (stop === undefined || stop.kind === 'interrupted') return 'interrupted'
  if (stop.kind === 'decided') return 'decided'
  return stop.kind === 'done' ? 'complete' : 'incomplete'
}

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
    reason: makeMessage('questions-failed', failedText(failed, figures.expectations.failed - failed)),
  },
  {
    name: 'must_pass',
    passed: mustPass.length === 0,
    reason: makeMessage('must-pass-failed', `failed must_pass questions: ${digits(mustPass.length)}`),
  },
  statusGate(figures),
]

const failedText = (failed: number, known: number): string =>
  `failed expectations: ${digits(failed)}${known === 0 ? '' : `, and ${digits(known)} known`}`

/** A threshold on one of these figures replaces the gate; one on one error code or one tag does not. */
const REPLACING_FIGURES: Readonly<Record<string, readonly string[]>> = {
  errors: ['rate', 'errors'],
  expectations: ['rate', 'failed'],
}

export const replaces = (thresholds: readonly Threshold[], gate: string): boolean =>
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

export const answeredOf = (answered: number, total: number): Message =>
  makeMessage('answered', `${digits(answered)} of ${digits(total)} answered`)

export const gatesPassed = (): Message => makeMessage('gates-passed', 'every gate passed')

export const turnsWithoutOutcome = (turns: number): Message =>
  makeMessage('turns-without-outcome', `questions without an outcome: ${digits(turns)}`)

export const baselineWaits = (): Message =>
  makeMessage('baseline-waits', 'The run is not compared with its baseline until it is complete.')

export const attemptsUnreadable = (attempts: number): Message =>
  makeMessage(
    'attempts-lost',
    `Attempts in unreadable lines of the journal: ${digits(attempts)}. Only the account counts them.`,
  )

export const editedNotes = (edited: number): Message[] =>
  edited === 0
    ? []
    : [makeMessage('questions-edited', `edited questions, left out of the comparison: ${digits(edited)}`)]
