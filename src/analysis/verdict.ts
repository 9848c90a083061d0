// The verdict of a run. Printed verdicts and exit codes come only from here.
import { type Message } from '../domain/message.ts'
import {
  answeredOf,
  everyTurnAnswered,
  expectationsMet,
  gatesPassed,
  journalDamaged,
  turnsWithoutOutcome,
} from './messages.ts'
import { type EarlyStop, type Stop, stopMessage } from '../domain/stop.ts'
import type { Figures, RunState } from '../domain/summary.ts'

export interface Verdict {
  readonly verdict: 'passed' | 'failed' | 'done' | 'incomplete'
  readonly exitCode: number
  /** At least one. */
  readonly reasons: Message[]
}

/**
 * `failed`: the reasons of failed gates. `isGated`: a gate of the user's was judged; without one, a run that
 * fails nothing is done, not passed. `stop` is undefined if the process died.
 */
export function judge(
  stop: Stop | undefined,
  { turns, expectations }: Pick<Figures, 'turns' | 'expectations'>,
  failed: Message[],
  isGated: boolean,
): Verdict {
  const { answered, total, notSent } = turns
  const unfinished = notSent > 0 ? [turnsWithoutOutcome(notSent)] : []
  if (stop?.kind !== 'done') {
    const { reason, ...verdict } = judgeStop(stop)
    return { ...verdict, reasons: [reason, ...unfinished] }
  }
  if (notSent > 0) return { verdict: 'incomplete', exitCode: 4, reasons: [journalDamaged(), ...unfinished] }
  if (failed.length > 0) return { verdict: 'failed', exitCode: 1, reasons: failed }
  if (!isGated) return { verdict: 'done', exitCode: 0, reasons: [answeredOf(answered, total)] }
  const isWhole = answered === total && expectations.passed > 0 && expectations.failed === 0
  const reasons = isWhole ? [everyTurnAnswered(), expectationsMet()] : [gatesPassed()]
  return { verdict: 'passed', exitCode: 0, reasons }
}

export const joinReasons = (reasons: readonly Message[]): string => reasons.map(({ text }) => text).join('; ')

export const judgeStop = (stop: EarlyStop) => ({
  verdict: 'incomplete' as const,
  exitCode: exitCodeOf(stop),
  reason: stopMessage(stop),
})

function exitCodeOf(stop: EarlyStop): number {
  // A closed terminal (SIGHUP) counts as SIGTERM.
  if (stop?.kind === 'interrupted') return stop.signal === 'SIGTERM' || stop.signal === 'SIGHUP' ? 143 : 130
  return stop?.kind === 'keyRefused' ? 3 : stop?.kind === 'fault' ? 5 : 4
}

/** By severity of the exit code. */
const WORST_FIRST: readonly (Stop['kind'] | 'died')[] = [
  ...(['fault', 'keyRefused', 'interrupted', 'died', 'storage', 'limiterLost'] as const),
  ...(['gaveUp', 'budget', 'timeUp', 'done'] as const),
]

/** The stop of a merged run. Undefined: a process died. */
export function worstStop(stops: readonly (Stop | undefined)[]): Stop | undefined {
  const [worst] = stops.toSorted(
    (one, other) => WORST_FIRST.indexOf(one?.kind ?? 'died') - WORST_FIRST.indexOf(other?.kind ?? 'died'),
  )
  return worst
}

/** `stop` of the last session. Undefined: the process died. */
export function stateAfter(stop: Stop | undefined): RunState {
  if (stop === undefined || stop.kind === 'interrupted') return 'interrupted'
  return stop.kind === 'done' ? 'complete' : 'incomplete'
}
