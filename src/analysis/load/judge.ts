// The verdict and the warnings of a load test.
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
import { errorsGate, judgeGates, reasonsOf, statusGate } from '../gates/judge.ts'
import { type ParsedThreshold, parseThreshold, readThresholds } from '../gates/threshold.ts'
import { ratio } from '../turns.ts'
import { type EarlyEnd, endedBy, joinReasons, judge } from '../verdict.ts'
import { endpointWarnings, notedWarnings } from '../warnings.ts'

export const parseLoadThreshold = (text: string): ParsedThreshold =>
  parseThreshold(text, LOAD_METRICS, 'load.json')

/** Under load, a 429 is not an error: a load test is meant to reach the limit. */
export const isLoadError = (outcome: Outcome): boolean =>
  isErrorOutcome(outcome) && outcome !== 'rate_limited'

type LoadVerdict = Pick<LoadReport, 'verdict' | 'exitCode' | 'reason' | 'shortfalls' | 'thresholds' | 'gates'>

/**
 * Without a threshold on `errors`, any failed turn fails the test, except those that the rate limit refused.
 * A test that ended early, or that never reached the endpoint, is incomplete: no gate of its own judges it.
 */
export function judgeLoad(
  stop: Stop | undefined,
  figures: LoadFigures,
  options: LoadManifest['options'],
): LoadVerdict {
  const early = stop?.kind === 'done' ? unreachedOf(figures) : endedBy(stop)
  const required = readThresholds(options.threshold, parseLoadThreshold)
  const judged = judgeGates(required, figures, early === undefined ? ownGates(figures) : [])
  const passed = required.length > 0 ? [gatesPassed()] : undefined
  const { verdict, exitCode, reasons } = judge(early, reasonsOf(judged.gates), passed, [noThreshold()])
  const missed = missedOf(figures)
  const shortfalls = exitCode === 0 ? [...missed, ...unansweredOf(figures.turns)] : missed
  const said = early === undefined ? [...shortfalls, ...reasons] : [...reasons, ...missed]
  return { ...judged, verdict, exitCode, shortfalls, reason: joinReasons(said) }
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
function unreachedOf(figures: LoadFigures): EarlyEnd | undefined {
  const { turns, pacing, errors, achieved, unsent } = figures
  const { calls } = achieved
  if (calls === 0 && unsent.calls > 0) return { exitCode: 4, reasons: [nothingSent()] }
  const isReached = Object.keys(errors.byHttpStatus).some((status) => status !== 'none')
  if (calls === 0 || isReached || turns.answered + pacing.rateLimited > 0) return undefined
  const known = Object.keys(errors.byCode).filter((code) => code !== 'none')
  const codes = (known.length > 0 ? known : Object.keys(errors.byOutcome)).slice(0, 3)
  return { exitCode: 4, reasons: [unreachable(calls, codes)] }
}

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
  const p99 = sendLagMs.p99 ?? 0
  const { model, maxInFlight } = manifest.load
  return [
    ...notedWarnings(manifest, notes),
    ...(p99 > MAX_LAG_MS ? [sentLate(p99, MAX_LAG_MS)] : []),
    ...(unsent.calls > 0 ? [machineTooSmall(unsent, unsent.calls + achieved.calls)] : []),
    ...(model.kind === 'closed' ? [closedLoop()] : []),
    ...(dropped.threads > 0 ? [threadsDropped(dropped.threads, offered.threads, maxInFlight)] : []),
    ...[statusGate(figures)].flatMap(({ passed, reason }) => (passed ? [] : [reason])),
    ...endpointWarnings(figures, manifest.options),
    ...(unfinished > 0 ? [turnsWithoutOutcome(unfinished)] : []),
    ...(lost > 0 ? [attemptsUnreadable(lost)] : []),
  ]
}
