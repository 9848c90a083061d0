// The verdict and the warnings of a load test. Its printed verdict and exit code come only from here.
import { LOAD_METRICS } from '../../domain/metric.ts'
import type { LoadFigures, LoadReport } from '../../domain/load.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { type Message, message } from '../../domain/messages.ts'
import { isErrorOutcome, type Outcome } from '../../domain/outcome.ts'
import type { Stop } from '../../domain/stop.ts'
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

type LoadVerdict = Pick<LoadReport, 'verdict' | 'exitCode' | 'reason' | 'thresholds' | 'gates'>

/**
 * Without a threshold on `errors`, any failed turn fails the test, except those that the rate limit refused. A test that ended
 * early, or that never reached the endpoint, is incomplete: no gate judges it. Throws Error if an expression is not a threshold
 * of a load test.
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
  if (stop?.kind !== 'done') {
    const { reason, ...judged } = judgeStop(stop)
    return { thresholds, gates: named, ...judged, reason: reason.text }
  }
  const { errors, achieved, turns, offered } = figures
  if (isUnreached(figures)) {
    const known = Object.keys(errors.byCode).filter((code) => code !== 'none')
    const codes = (known.length > 0 ? known : Object.keys(errors.byOutcome)).slice(0, 3)
    const { text: reason } = message('load-unreachable', { calls: achieved.calls, codes })
    return { thresholds, gates: named, verdict: 'incomplete', exitCode: 4, reason }
  }
  const isUnanswered = turns.answered === 0 && offered.threads > 0
  const gates = [
    ...named,
    ...(replaces(required, 'errors') ? [] : [errorsGate(errors.errors)]),
    ...(isUnanswered ? [{ name: 'answers', passed: false, reason: message('load-nothing-answered') }] : []),
  ]
  const ended = (verdict: LoadVerdict['verdict'], exitCode: number, ...reasons: Message[]): LoadVerdict => ({
    thresholds,
    gates,
    verdict,
    exitCode,
    reason: joinReasons(reasons),
  })
  const failures = reasonsOf(gates)
  if (failures.length > 0) return ended('failed', 1, ...failures)
  const isGated = expressions.length > 0
  const unanswered = ratio(turns.total - turns.answered, turns.total) ?? 0
  return ended(
    isGated ? 'passed' : 'done',
    0,
    ...(unanswered > MIN_UNANSWERED_NAMED ? [message('load-unanswered', { share: unanswered })] : []),
    isGated ? message('gates-passed') : message('no-threshold'),
  )
}

/** A larger share of unanswered turns is named in the verdict. */
const MIN_UNANSWERED_NAMED = 0.01

/** No call got an HTTP status, which says nothing about the endpoint and must not fail a gate. */
const isUnreached = ({ turns, pacing, errors, achieved }: LoadFigures): boolean =>
  achieved.calls > 0 &&
  turns.answered + pacing.rateLimited === 0 &&
  Object.keys(errors.byHttpStatus).every((status) => status === 'none')

/** Above this, response times measure the load generator, not the endpoint. */
const MAX_LAG_MS = 50

/** `notes`: warnings from reading the journal. `lost`: attempts whose records are unreadable. */
export function loadWarnings(
  figures: LoadFigures,
  manifest: Manifest,
  notes: readonly string[],
  lost: number,
): Message[] {
  const { turns, dropped, offered, sendLagMs } = figures
  const [p99, maxInFlight] = [sendLagMs.p99 ?? 0, manifest.load?.maxInFlight ?? 0]
  return [
    ...notedWarnings(manifest, notes),
    ...(p99 > MAX_LAG_MS ? [message('load-send-lag', { p99: Math.round(p99), most: MAX_LAG_MS })] : []),
    ...(dropped.threads > 0
      ? [message('load-threads-dropped', { dropped: dropped.threads, due: offered.threads, maxInFlight })]
      : []),
    ...[statusGate(figures)].flatMap(({ passed, reason }) => (passed ? [] : [reason])),
    ...endpointWarnings(figures, manifest.options),
    ...(turns.notAsked > 0 ? [message('turns-without-outcome', { turns: turns.notAsked })] : []),
    ...(lost > 0 ? [message('attempts-lost', { attempts: lost })] : []),
  ]
}
