// The verdict of a run: what is printed and what the process exits with come from here alone.
import { type Message, message } from '../domain/messages.ts'
import type { Stop } from '../domain/stop.ts'
import type { Figures, RunState } from '../domain/summary.ts'

export interface Verdict {
  readonly verdict: 'passed' | 'failed' | 'incomplete'
  readonly exitCode: number
  /** Why, at least one. */
  readonly reasons: readonly Message[]
}

/** `failed`: why gates failed. `stop` is undefined where the process died before it could say. */
export function judge(
  stop: Stop | undefined,
  { turns, expectations }: Pick<Figures, 'turns' | 'expectations'>,
  failed: readonly Message[],
): Verdict {
  if (stop?.kind !== 'done') {
    const left = message('turns-without-outcome', { turns: turns.notAsked })
    const { reason, ...verdict } = judgeStop(stop)
    return { ...verdict, reasons: [reason, left] }
  }
  if (turns.notAsked > 0)
    return {
      verdict: 'incomplete',
      exitCode: 4,
      reasons: [message('journal-damaged'), message('turns-without-outcome', { turns: turns.notAsked })],
    }
  if (failed.length > 0) return { verdict: 'failed', exitCode: 1, reasons: failed }
  const areMet = expectations.passed > 0 && expectations.failed === 0
  return {
    verdict: 'passed',
    exitCode: 0,
    reasons: [
      turns.answered === turns.total ? message('every-turn-answered') : message('gates-passed'),
      ...(areMet ? [message('expectations-met')] : []),
    ],
  }
}

export const textOf = (reasons: readonly Message[]): string => reasons.map(({ text }) => text).join('; ')

interface StopVerdict {
  readonly verdict: 'failed' | 'incomplete'
  readonly exitCode: number
  readonly reason: Message
}

/** Of a run, a load test or a search that did not come to its end. */
export function judgeStop(stop: Exclude<Stop, { kind: 'done' }> | undefined): StopVerdict {
  const incomplete = (exitCode: number, reason: Message): StopVerdict => ({
    verdict: 'incomplete',
    exitCode,
    reason,
  })
  if (stop === undefined) return incomplete(4, message('stop-died'))
  switch (stop.kind) {
    case 'keyRefused': {
      const { httpStatus, message: text } = stop
      return incomplete(3, message('stop-key', { httpStatus, text: text.trimEnd().replace(/\.+$/, '') }))
    }
    case 'budget':
      return incomplete(4, message('stop-budget', { maxCalls: stop.maxCalls }))
    case 'partsMissing':
      return incomplete(4, message('stop-shards-missing', { shards: stop.parts, of: stop.of }))
    case 'timeUp':
      return incomplete(4, message('stop-time', { ms: stop.maxMs }))
    case 'gaveUp':
      return incomplete(4, givingUp(stop))
    case 'quotaSpent':
      return incomplete(4, message('stop-refusals', { ms: stop.afterMs, last: stop.last }))
    case 'limiterLost':
      return incomplete(4, message('stop-limiter', { reason: stop.reason }))
    case 'aborted':
      return { verdict: 'failed', exitCode: 1, reason: message('stop-threshold', { reason: stop.reason }) }
    case 'storage':
      return incomplete(
        4,
        message('stop-storage', { text: stop.message, ailment: storageAilment(stop.code) ?? null }),
      )
    case 'interrupted':
      return incomplete(exitCodeOfInterruption(stop), message('stop-interrupted', { signal: stop.signal }))
    case 'fault':
      return incomplete(5, message('stop-fault', { text: stop.message }))
  }
}

function givingUp({ over, last, afterMs, namedMs }: Extract<Stop, { kind: 'gaveUp' }>): Message {
  if (namedMs !== undefined) return message('stop-named-wait', { waitMs: namedMs, leftOfMs: afterMs, last })
  return over === 'refusals'
    ? message('stop-refusals', { ms: afterMs, last })
    : message('stop-failures', { ms: afterMs, last })
}

type Interruption = Extract<Stop, { kind: 'interrupted' }>

/** A closed terminal (SIGHUP) counts as SIGTERM. */
const exitCodeOfInterruption = ({ signal }: Pick<Interruption, 'signal'>): 130 | 143 =>
  signal === 'SIGTERM' || signal === 'SIGHUP' ? 143 : 130

/** By exit code. */
const WORST_FIRST: readonly (Stop['kind'] | 'died')[] = [
  ...(['fault', 'keyRefused', 'interrupted', 'partsMissing', 'died', 'storage', 'limiterLost'] as const),
  ...(['quotaSpent', 'gaveUp', 'budget', 'timeUp', 'aborted', 'done'] as const),
]

/** How a run of several shards ended. Undefined: the process died. */
export function worstStop(stops: readonly (Stop | undefined)[]): Stop | undefined {
  const [worst] = stops.toSorted(
    (one, other) => WORST_FIRST.indexOf(one?.kind ?? 'died') - WORST_FIRST.indexOf(other?.kind ?? 'died'),
  )
  return worst
}

/** The state of a run by the end of its last session. Undefined: the process died. */
export function stateAfter(stop: Stop | undefined): RunState {
  if (stop === undefined || stop.kind === 'interrupted') return 'interrupted'
  return stop.kind === 'done' ? 'complete' : 'incomplete'
}

function storageAilment(code: string | undefined): 'full' | 'forbidden' | undefined {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full'
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'forbidden' : undefined
}
