// The verdict of a run. Printed verdicts and exit codes come only from here.
import { type Message, message } from '../domain/messages.ts'
import type { Stop } from '../domain/stop.ts'
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
  const { answered, total, notAsked } = turns
  const unfinished = notAsked > 0 ? [message('turns-without-outcome', { turns: notAsked })] : []
  if (stop?.kind !== 'done') {
    const { reason, ...verdict } = judgeStop(stop)
    return { ...verdict, reasons: [reason, ...unfinished] }
  }
  if (notAsked > 0)
    return { verdict: 'incomplete', exitCode: 4, reasons: [message('journal-damaged'), ...unfinished] }
  if (failed.length > 0) return { verdict: 'failed', exitCode: 1, reasons: failed }
  if (!isGated) return { verdict: 'done', exitCode: 0, reasons: [message('answered', { answered, total })] }
  const isWhole = answered === total && expectations.passed > 0 && expectations.failed === 0
  const reasons = isWhole
    ? [message('every-turn-answered'), message('expectations-met')]
    : [message('gates-passed')]
  return { verdict: 'passed', exitCode: 0, reasons }
}

export const joinReasons = (reasons: readonly Message[]): string => reasons.map(({ text }) => text).join('; ')

type EarlyStop = Exclude<Stop, { kind: 'done' }> | undefined

export const judgeStop = (stop: EarlyStop) => ({
  verdict: 'incomplete' as const,
  exitCode: exitCodeOf(stop),
  reason: reasonOf(stop),
})

function exitCodeOf(stop: EarlyStop): number {
  // A closed terminal (SIGHUP) counts as SIGTERM.
  if (stop?.kind === 'interrupted') return stop.signal === 'SIGTERM' || stop.signal === 'SIGHUP' ? 143 : 130
  return stop?.kind === 'keyRefused' ? 3 : stop?.kind === 'fault' ? 5 : 4
}

function reasonOf(stop: EarlyStop): Message {
  switch (stop?.kind) {
    case undefined:
      return message('stop-died')
    case 'keyRefused': {
      const { httpStatus, message: text } = stop
      return message('stop-key', { httpStatus, text: text.trimEnd().replace(/\.+$/, '') })
    }
    case 'budget':
      return message('stop-budget', { maxCalls: stop.maxCalls, last: stop.last })
    case 'timeUp':
      return message('stop-time', { ms: stop.maxMs })
    case 'gaveUp': {
      const { over, last, afterMs: ms, namedMs, code, isFirst } = stop
      if (over === 'unreadable') return message('stop-unreadable', { last })
      if (namedMs !== undefined)
        return message('stop-named-wait', { waitMs: namedMs, leftOfMs: ms, isFirst, last })
      return over === 'refusals'
        ? message('stop-refusals', { ms, code, last })
        : message(`stop-${over}`, { ms, last })
    }
    case 'limiterLost':
      return message('stop-limiter', { reason: stop.reason })
    case 'storage':
      return message('stop-storage', { text: stop.message })
    case 'interrupted':
      return message('stop-interrupted', { signal: stop.signal })
    case 'fault':
      return message('stop-fault', { text: stop.message })
  }
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
