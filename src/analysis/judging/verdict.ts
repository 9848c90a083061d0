// The verdict of a run. Printed verdicts and exit codes come only from here.
import { makeMessage, type Message } from '../../domain/message.ts'
import { answeredOf, gatesPassed, turnsWithoutOutcome } from './messages.ts'
import { type EarlyStop, type Stop, stopMessage } from '../../domain/stop.ts'
import type { Figures, RunState } from '../../domain/summary.ts'

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
): Judgement {
  const { answered, total, notSent } = turns
  const unfinished = notSent > 0 ? [turnsWithoutOutcome(notSent)] : []
  const damaged = [makeMessage('journal-damaged', 'the journal is damaged'), ...unfinished]
  const damage = notSent > 0 ? { exitCode: 4, reasons: damaged } : undefined
  const early = stop?.kind === 'done' ? damage : endedBy(stop, unfinished)
  const { failed: unmet, notGraded } = expectations
  const isWhole = answered === total && expectations.passed > 0 && unmet + notGraded === 0
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
