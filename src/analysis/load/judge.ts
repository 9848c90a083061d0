// The verdict and the warnings of a load test. Its printed verdict and exit code come only from here.
import { LOAD_METRICS } from '../../domain/metric.ts'
import type { LoadFigures, LoadReport } from '../../domain/load.ts'
import type { LoadManifest } from '../../options/manifest.ts'
import {
  callsUnsent,
  closedLoop,
  machineTooSmall,
  nothingAnswered,
  nothingSent,
  noThreshold,
  sentLate,
  threadsDropped,
  threadsDroppedShare,
  turnsUnanswered,
  unreachable,
} from './messages.ts'
import { type Message } from '../../domain/message.ts'
import { attemptsUnreadable, gatesPassed, turnsWithoutOutcome } from '../messages.ts'
import { isErrorOutcome, type Outcome, OUTCOMES } from '../../domain/outcome.ts'
import type { Stop } from '../../domain/stop.ts'
import type { GateOutcome } from '../../domain/summary.ts'
import { errorsGate, reasonsOf, replaces, statusGate } from '../gates/judge.ts'
import { evaluate, parseThreshold, type ParsedThreshold } from '../gates/threshold.ts'
import { ratio } from '../turns.ts'
import { judgeStop, joinReasons } from '../verdict.ts'
import { endpointWarnings, notedWarnings } from '../warnings.ts'

export const parseLoadThreshold = (text: string): ParsedThreshold =>
  parseThreshold(text, LOAD_METRICS, 'load.json')

/** Under load, a 429 is not an error: a load test is meant to reach the limit. */
export const isLoadError = (outcome: Outcome): boolean =>
  isErrorOutcome(outcome) && outcome !== 'rate_limited'

type LoadVerdict = Pick<LoadReport, 'verdict' | 'exitCode' | 'reason' | 'shortfalls' | 'thresholds' | 'gates'>

/**
 * Without a threshold on `errors`, any failed turn fails the test, except those that the rate limit refused.
 * A test that ended early, or that never reached the endpoint, is incomplete: no gate judges it. Throws Error
 * if an expression is not a threshold of a load test.
 */
export function judgeLoad(
  stop: Stop | undefined,
  figures: LoadFigures,
  expressions: readonly string[],
): LoadVerdict {
  const required = expressions.map((expression) => {
    const parsed = parseLoadThreshold(expression)
    if (parsed.kind === 'fault') throw new Error(`${expression}: it ${parsed.reason}`)
    return parsed.threshold
  })
  const thresholds = required.map((threshold) => evaluate(threshold, figures))
  const named = thresholds.map(({ expression: name, passed, reason }) => ({ name, passed, reason }))
  const missed = missedOf(figures)
  const early = stop?.kind === 'done' ? unreachedOf(figures) : judgeStop(stop)
  if (early !== undefined) {
    const reason = joinReasons([early.reason, ...missed])
    return { ...early, thresholds, gates: named, shortfalls: missed, reason }
  }
  const gates = [...named, ...ownGates(figures).filter(({ name }) => !replaces(required, name))]
  const failures = reasonsOf(gates)
  if (failures.length > 0) {
    const reason = joinReasons([...missed, ...failures])
    return { thresholds, gates, verdict: 'failed', exitCode: 1, shortfalls: missed, reason }
  }
  const isGated = expressions.length > 0
  const shortfalls = [...missed, ...unansweredOf(figures.turns)]
  const reason = joinReasons([...shortfalls, isGated ? gatesPassed() : noThreshold()])
  return { thresholds, gates, verdict: isGated ? 'passed' : 'done', exitCode: 0, shortfalls, reason }
}

/** The gates without a threshold. */
const ownGates = ({ errors, turns, offered }: LoadFigures): GateOutcome[] => [
  errorsGate(errors.errors),
  ...(turns.answered === 0 && offered.threads > 0
    ? [{ name: 'answers', passed: false, reason: nothingAnswered() }]
    : []),
]

/** Load that the endpoint never saw. */
const missedOf = ({ dropped, unsent }: LoadFigures): Message[] => [
  ...(dropped.threads > 0 ? [threadsDroppedShare(dropped.rate ?? 0)] : []),
  ...(unsent.calls > 0 ? [callsUnsent(unsent)] : []),
]

/** A larger share of unanswered turns is named in the verdict. */
const MIN_UNANSWERED_NAMED = 0.01

function unansweredOf(turns: LoadFigures['turns']): Message[] {
  const share = ratio(turns.total - turns.answered, turns.total) ?? 0
  const ends = OUTCOMES.map((outcome) => [outcome, turns[outcome]] as const)
  const counts = ([...ends, ['not sent', turns.notSent]] as const).filter(
    ([end, count]) => end !== 'answered' && count > 0,
  )
  return share > MIN_UNANSWERED_NAMED ? [turnsUnanswered(share, counts)] : []
}

/** No call got an HTTP status, which says nothing about the endpoint and must not fail a gate. */
function unreachedOf({ turns, pacing, errors, achieved: { calls }, unsent }: LoadFigures) {
  const incomplete = { verdict: 'incomplete', exitCode: 4 } as const
  if (calls === 0 && unsent.calls > 0) return { ...incomplete, reason: nothingSent() }
  const isReached = Object.keys(errors.byHttpStatus).some((status) => status !== 'none')
  if (calls === 0 || isReached || turns.answered + pacing.rateLimited > 0) return undefined
  const known = Object.keys(errors.byCode).filter((code) => code !== 'none')
  const codes = (known.length > 0 ? known : Object.keys(errors.byOutcome)).slice(0, 3)
  return { ...incomplete, reason: unreachable(calls, codes) }
}

/** Above this, response times measure the load generator, not the endpoint. */
const MAX_LAG_MS = 50

/** `notes`: warnings from reading the journal. `lost`: attempts whose records are unreadable. */
export function loadWarnings(
  figures: LoadFigures,
  manifest: LoadManifest,
  notes: readonly string[],
  lost: number,
): Message[] {
  const { turns, dropped, offered, sendLagMs, achieved, unsent } = figures
  const unfinished = turns.notSent - unsent.calls
  const [p99, maxInFlight] = [sendLagMs.p99 ?? 0, manifest.load.maxInFlight]
  return [
    ...notedWarnings(manifest, notes),
    ...(p99 > MAX_LAG_MS ? [sentLate(p99, MAX_LAG_MS)] : []),
    ...(unsent.calls > 0 ? [machineTooSmall(unsent, unsent.calls + achieved.calls)] : []),
    ...(manifest.load.model.kind === 'closed' ? [closedLoop()] : []),
    ...(dropped.threads > 0 ? [threadsDropped(dropped.threads, offered.threads, maxInFlight)] : []),
    ...[statusGate(figures)].flatMap(({ passed, reason }) => (passed ? [] : [reason])),
    ...endpointWarnings(figures, manifest.options),
    ...(unfinished > 0 ? [turnsWithoutOutcome(unfinished)] : []),
    ...(lost > 0 ? [attemptsUnreadable(lost)] : []),
  ]
}
