// The verdict and the warnings of a load test.
import { type AttemptResult, isQuotaRefusal } from '../../domain/attempt.ts'
import { ratio } from '../../domain/counts.ts'
import {
  digits,
  duration,
  listCounts,
  listNames,
  makeMessage,
  type Message,
  percent,
  plural,
} from '../../domain/format.ts'
import type { ResultRecord } from '../../domain/journal.ts'
import type { LoadFigures } from '../../domain/load.ts'
import { isErrorOutcome, type Outcome, OUTCOMES } from '../../domain/outcome.ts'
import type { Stop } from '../../domain/stop.ts'
import { cut } from '../../domain/text.ts'
import type { LoadManifest } from '../../options/manifest.ts'
import { createCounts } from '../figures/figures.ts'
import { endpointWarnings, notedWarnings } from '../judging/summary.ts'
import { LOAD_METRICS, type ParsedThreshold, parseThreshold, readThresholds } from '../judging/threshold.ts'
import {
  attemptsUnreadable,
  type EarlyEnd,
  endedBy,
  errorsGate,
  gatesPassed,
  joinReasons,
  judge,
  judgeGates,
  reasonsOf,
  statusGate,
  turnsWithoutOutcome,
} from '../judging/verdict.ts'

export const parseLoadThreshold = (text: string): ParsedThreshold =>
  parseThreshold(text, LOAD_METRICS, 'load.json')

/** Under load, a 429 is not an error: a load test is meant to reach the limit. */
export const isLoadError = (outcome: Outcome): boolean =>
  isErrorOutcome(outcome) && outcome !== 'rate_limited'

/**
 * A test that ended early, never reached the endpoint or met a used-up quota is incomplete: no gate of its
 * own judges it.
 */
export function judgeLoad(
  stop: Stop | undefined,
  figures: LoadFigures,
  { quota }: Refusals,
  options: LoadManifest['options'],
) {
  const { dropped, turns, errors, offered } = figures
  const usedUp = quota && { exitCode: 4, reasons: [quota] }
  const early = stop?.kind === 'done' ? (usedUp ?? unreachedOf(figures)) : endedBy(stop)
  const required = readThresholds(options.threshold, parseLoadThreshold)
  const gates = [errorsGate(errors.errors)]
  if (turns.answered === 0 && offered.threads > 0) {
    const reason = makeMessage('load-nothing-answered', 'no question was answered')
    gates.push({ name: 'answers', passed: false, reason })
  }
  const judged = judgeGates(required, figures, early === undefined ? gates : [])
  const passed = required.length > 0 ? [gatesPassed()] : undefined
  const done = [makeMessage('no-threshold', 'no threshold was given')]
  const { verdict, exitCode, reasons } = judge(early, reasonsOf(judged.gates), passed, done)
  const text = `${percent(dropped.rate ?? 0)} of the conversations were dropped`
  const missed = dropped.threads > 0 ? [makeMessage('load-dropped', text)] : []
  const shortfalls = exitCode === 0 ? [...missed, ...unansweredOf(turns)] : missed
  const said = early === undefined ? [...shortfalls, ...reasons] : [...reasons, ...missed]
  return { ...judged, verdict, exitCode, shortfalls, reason: joinReasons(said) }
}

const MIN_UNANSWERED_NAMED = 0.01

function unansweredOf(turns: LoadFigures['turns']): Message[] {
  const share = ratio(turns.total - turns.answered, turns.total) ?? 0
  if (share <= MIN_UNANSWERED_NAMED) return []
  const ends: [end: string, count: number][] = OUTCOMES.map((outcome) => [outcome, turns[outcome]])
  ends.push(['not sent', turns.notSent])
  const counts = ends.filter(([end, count]) => end !== 'answered' && count > 0)
  const text = `${percent(share)} of the questions were not answered (${listCounts(counts)})`
  return [makeMessage('load-unanswered', text)]
}

/** No call got an HTTP status, which says nothing about the endpoint and must not fail a gate. */
function unreachedOf(figures: LoadFigures): EarlyEnd | undefined {
  const { turns, pacing, errors } = figures
  const { calls } = figures.achieved
  const isReached = Object.keys(errors.byHttpStatus).some((status) => status !== 'none')
  if (calls === 0 || isReached || turns.answered + pacing.rateLimited > 0) return undefined
  const known = Object.keys(errors.byCode).filter((code) => code !== 'none')
  const codes = (known.length > 0 ? known : Object.keys(errors.byOutcome)).slice(0, 3)
  const text =
    `no call of ${digits(calls)} got an HTTP status (${listNames(codes)}): the endpoint is unreachable ` +
    'or down'
  return { exitCode: 4, reasons: [makeMessage('load-unreachable', text)] }
}

const MAX_LAG_MS = 50

export function loadWarnings(
  figures: LoadFigures,
  refusals: Refusals,
  manifest: LoadManifest,
  notes: readonly string[],
  lost: number,
): Message[] {
  const { dropped } = figures
  const p99 = figures.sendLagMs.p99 ?? 0
  const warnings = notedWarnings(manifest, notes)
  const warn = (code: string, text: string): void => void warnings.push(makeMessage(code, text))
  if (p99 > MAX_LAG_MS)
    warn(
      'load-send-lag',
      `Send lag p99 is ${duration(p99)}, above ${duration(MAX_LAG_MS)}. This machine sent calls late, ` +
        'which adds to response times. Lower the rate, or use another machine.',
    )
  if (manifest.load.model.kind === 'closed')
    warn(
      'load-closed-loop',
      'Users wait for answers (--users): while the endpoint stalls, little is sent, and response times ' +
        'hide the stall. Use --arrival-rate to see it.',
    )
  if (dropped.threads > 0)
    warn(
      'load-threads-dropped',
      `Conversations dropped: ${digits(dropped.threads)} of ${digits(figures.offered.threads)}. ` +
        `Either ${plural(manifest.load.maxInFlight, 'call was', 'calls were')} in flight ` +
        '(--max-in-flight), or this machine paused.',
    )
  const refused = refusedText(refusals)
  if (refused !== undefined) warn('load-refusals', refused)
  warnings.push(...reasonsOf([statusGate(figures)]), ...endpointWarnings(figures, manifest.options))
  const { notSent } = figures.turns
  if (notSent > 0) warnings.push(turnsWithoutOutcome(notSent))
  if (lost > 0) warnings.push(attemptsUnreadable(lost))
  return warnings
}

export interface Refusals {
  /** Counts the refused calls by status and `error.code`, as `429 RATE_LIMITED`. */
  readonly byCode: Readonly<Record<string, number>>
  /** Says that the quota is used up; undefined if a later call was answered. */
  readonly quota: Message | undefined
}

/** Tells by the order of sending: answers to earlier calls may arrive after refusals of later ones. */
export function createRefusals() {
  const counts = createCounts()
  let [others, lastAnswered] = [0, 0]
  /** Holds the latest refusal of a quota and the one before it: a single one may pass. */
  let latest = { attempt: 0, before: 0, name: '' }
  return {
    add: ({ attempt, result }: ResultRecord): void => {
      if (result.kind === 'reply') lastAnswered = Math.max(lastAnswered, attempt)
      const name = nameOf(result)
      if (name === undefined) others += 1
      else counts.add(name)
      if (name === undefined || !isQuotaRefusal(result)) return
      if (attempt > latest.attempt) latest = { attempt, before: latest.attempt, name }
      else latest.before = Math.max(latest.before, attempt)
    },
    finish: (): Refusals => {
      const byCode = counts.finish()
      const names = Object.keys(byCode)
      const isUsedUp = latest.before > lastAnswered
      const name = isUsedUp ? latest.name : (names[0] ?? '')
      const count = byCode[name] ?? 0
      const isAll = names.length === 1 && others === 0 && count > 1
      const refused = `${isAll ? 'all ' : ''}${plural(count, 'call')} were refused with ${name}`
      const text = isUsedUp
        ? `the quota is used up: ${refused}${isAll ? '' : ', the last ones among them'}`
        : `${refused}: the quota is used up, or other traffic uses the limit`
      const isQuota = isUsedUp || (isAll && name.startsWith('429 '))
      return { byCode, quota: isQuota ? makeMessage('load-quota', text) : undefined }
    },
  }
}

/** Names `429 RATE_LIMITED`; undefined unless the endpoint refused the call and gave a code. */
function nameOf(result: AttemptResult): string | undefined {
  if (result.kind !== 'rejection' || result.httpStatus < 400 || result.httpStatus >= 500) return undefined
  const { code } = result.error
  return code === undefined ? undefined : `${result.httpStatus} ${cut(code, 60)}`
}

/** Writes `Calls refused: 60 with 429 RATE_LIMITED.`; undefined without a code. */
export function refusedText({ byCode }: Refusals): string | undefined {
  const counts = Object.entries(byCode).map(([name, count]) => `${digits(count)} with ${name}`)
  return counts.length === 0 ? undefined : `Calls refused: ${counts.slice(0, 3).join(', ')}.`
}
