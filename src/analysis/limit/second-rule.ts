// Whether a second rule with a longer window is ruled out: only calls at the limit's rate, for as long as
// that window, can tell.
import type { LimitCall, LimitFinding, LimitRule, SecondRule } from '../../domain/limit.ts'
import { ROUND_WINDOWS_MS } from './fit.ts'
import { type Inferred, inferLimit } from './infer.ts'

const NEXT_WINDOWS_MS = [60_000, 300_000, 3_600_000, 86_400_000]
/** A longer window is a quota, which no search can wait out. */
export const MAX_ANNOUNCED_MS = 3_600_000
/** A window sustains the limit with this share of the calls that it allows. */
const SUSTAINED = 0.9

/** `announced`: the rules that the endpoint's headers name. */
export function findSecondRule(
  finding: LimitFinding,
  calls: readonly LimitCall[],
  announced: readonly LimitRule[],
): SecondRule {
  const paced = announced.filter(({ windowMs }) => windowMs <= MAX_ANNOUNCED_MS)
  const refillMs = 'burst' in finding ? (1000 * finding.burst) / finding.ratePerSecond : 0
  const own = 'windowMs' in finding ? finding.windowMs : refillMs
  const neededMs =
    paced.length > 0
      ? Math.max(...paced.map(({ windowMs }) => windowMs))
      : (NEXT_WINDOWS_MS.find((ms) => ms > own) ?? Infinity)
  return { ruledOutToMs: sustainedMs(rateOf(finding, calls), calls), neededMs, announced: [...announced] }
}

export const isRuledOut = ({ ruledOutToMs, neededMs }: SecondRule): boolean =>
  ruledOutToMs !== null && ruledOutToMs >= neededMs

function rateOf(finding: LimitFinding, calls: readonly LimitCall[]): number | undefined {
  if ('ratePerSecond' in finding) return finding.ratePerSecond
  if (!('inFlight' in finding)) return undefined
  const accepted = calls.filter(({ verdict }) => verdict === 'accepted')
  const busyMs = accepted.reduce((sum, { sentAt, endedAt }) => sum + endedAt - sentAt, 0)
  return (1000 * finding.inFlight * accepted.length) / Math.max(1, busyMs)
}

function sustainedMs(perSecond: number | undefined, calls: readonly LimitCall[]): number | null {
  if (perSecond === undefined) return null
  const at = calls
    .flatMap(({ verdict, sentAt }) => (verdict === 'accepted' ? [sentAt] : []))
    .sort((a, b) => a - b)
  const isSustained = (windowMs: number): boolean => {
    const minCalls = Math.ceil((SUSTAINED * perSecond * windowMs) / 1000)
    return at.some((from, index) => (at[index + minCalls - 1] ?? Infinity) - from <= windowMs)
  }
  return ROUND_WINDOWS_MS.findLast((ms) => ms >= 1000 && isSustained(ms)) ?? null
}

export interface LimitEstimate extends Pick<Inferred, 'finding' | 'best' | 'keepTo'> {
  readonly isKnown: boolean
  /** Says how long to keep to the known rule, to see whether there is a second one; 0 if there is no need. */
  readonly holdMs: number
}

export function estimateLimit(calls: readonly LimitCall[], announced: readonly LimitRule[]): LimitEstimate {
  const { finding, isKnown, best, keepTo } = inferLimit(calls)
  if (!isKnown) return { finding, isKnown, best, keepTo, holdMs: 0 }
  const second = findSecondRule(finding, calls, announced)
  const isDone = isRuledOut(second)
  return { finding, isKnown: isDone, best, keepTo: best, holdMs: isDone ? 0 : second.neededMs }
}
