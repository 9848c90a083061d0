// Infers the organization's rate limit, and how certain it is, from the calls of a run, a load test or a limit search.
import type { LimitCall, LimitFinding } from '../../domain/limit.ts'
import type { CallCounts, LimitCalls } from './calls.ts'
import type { Fit } from './fit.ts'
import { type Rule, separateRules } from './rules.ts'
import type { Range } from './search.ts'
import type { Sequence } from './sequence.ts'

interface FoundRule {
  readonly finding: LimitFinding
  /** The limit that explains the calls best, however uncertain. Undefined if no limit was met. */
  readonly best: Fit | undefined
}

/** The limit; of two rules, the one that allows fewer calls a second. `best`: what is to be measured next. */
export interface Inferred extends FoundRule {
  /** With high confidence, and every call is explained. */
  readonly isKnown: boolean
  /** A rule beside `finding`, which allows more calls a second for a shorter time. */
  readonly faster: LimitFinding | null
  /** A rule that calls must keep to, so that only `best` refuses them. */
  readonly keepTo: Fit | undefined
}

/** Fewer refusals, or fewer streaks of them, show almost nothing. */
const MIN_REFUSED = 3
const MIN_TIMES_MET = 2
/** Several limits explain fewer refusals, so an unclear limit counts as hardly met. */
const MIN_REFUSED_UNCLEAR = 10
const MIN_EXPLAINED = 0.9
/** Least share of refusals explained without the tolerance, which alone would explain refusals of calls at the limit's own rate. */
const MIN_REFUSED_FIRMLY = 0.5
/** A limit that costs this many wrong verdicts more than the best is ruled out. */
const RIVAL_COST = 2
/** Distance to either bound as a share of the value: known closely, and known at all. */
const CLOSE = 0.05
const CLOSE_SIZE = 0.2
const ROUGH = 0.2

/** Takes 0.1 to 3 seconds for `MAX_CALLS` calls. `counts` are those of `calls` by default. */
export function inferLimit(calls: readonly LimitCall[], counts: CallCounts = countCalls(calls)): Inferred {
  const { slowest, faster, explained } = separateRules(calls)
  if (faster === undefined) {
    const { finding, best } = judgeRule(slowest, counts, explained)
    return { finding, isKnown: isHigh(finding), best, faster: null, keepTo: undefined }
  }
  const quick = judgeRule(faster, countCalls(faster.calls.calls), explained)
  const slow = judgeRule(slowest, countCalls(slowest.calls.calls), explained)
  // A faster rule that is not known yet comes first: it hides the other.
  if (!('explained' in quick.finding))
    return {
      finding: { ...quick.finding, ...counts },
      isKnown: false,
      best: quick.best,
      faster: null,
      keepTo: undefined,
    }
  const rest = { best: slow.best, keepTo: quick.best }
  if (!('explained' in slow.finding))
    return {
      ...rest,
      finding: { ...quick.finding, ...counts, confidence: 'medium' },
      isKnown: false,
      faster: null,
    }
  const isKnown = isHigh(slow.finding) && isHigh(quick.finding)
  return { ...rest, finding: { ...slow.finding, ...counts }, isKnown, faster: quick.finding }
}

const isHigh = (finding: LimitFinding): boolean => 'confidence' in finding && finding.confidence === 'high'

/** `explained`: share of all calls that the rules explain together. */
function judgeRule({ calls: sequence, fits }: Rule, counts: CallCounts, explained: number): FoundRule {
  const [best] = fits
  const timesMet = sequence.streaks.filter(
    ({ reopenedAt, accepted }, place, all) =>
      reopenedAt !== undefined || (place === all.length - 1 && accepted > 0),
  ).length
  const evidence = { ...counts, timesMet, acceptedPerSecond: acceptedPerSecond(sequence) }
  const unknown = (code: Extract<LimitFinding, { kind: 'unknown' }>['code']): FoundRule => ({
    finding: { kind: 'unknown', code, ...evidence },
    best,
  })
  if (counts.refused === 0) return { finding: { kind: 'none-met', ...evidence }, best }
  if (best === undefined || counts.refused < MIN_REFUSED || timesMet < MIN_TIMES_MET)
    return unknown('hardly-met')
  const unclear = unknown(counts.refused < MIN_REFUSED_UNCLEAR ? 'hardly-met' : 'unclear')
  const refused = sequence.count - sequence.possible.at.length
  if (best.explained < MIN_EXPLAINED * (sequence.accepted.at.length + refused)) return unclear
  if (best.refusedFirmly < MIN_REFUSED_FIRMLY * refused) return unknown('hardly-met')
  const { kind, aligned, size, windowMs, perSecond } = best
  const rivals = fits.filter((fit) => fit !== best && fit.cost < best.cost + RIVAL_COST)
  if (rivals.some((fit) => !isSameRate(fit, best, ROUGH))) return unclear
  if (!isWithin(perSecond, ROUGH) || !wasSustained(best, sequence)) return unclear
  const isClose =
    rivals.every(
      (fit) => fit.kind === kind && isSameRate(fit, best, CLOSE) && isWithin(fit.perSecond, CLOSE),
    ) &&
    isWithin(perSecond, CLOSE) &&
    isWithin(windowMs, CLOSE) &&
    isWithin(size, CLOSE_SIZE)
  const confidence = isClose && explained === 1 ? ('high' as const) : ('medium' as const)
  const fitted = { ...evidence, explained, confidence }
  const rate = { ratePerSecond: perSecond?.value ?? 0 }
  const window = { limit: size.value, windowMs: windowMs?.value ?? 0, ...rate }
  const limits = {
    'fixed-window': { kind: 'fixed-window', aligned, ...window },
    'sliding-window': { kind: 'sliding-window', ...window },
    'token-bucket': { kind: 'token-bucket', burst: size.value, ...rate },
    concurrency: { kind: 'concurrency', inFlight: size.value },
  } as const
  return { finding: { ...limits[kind], ...fitted }, best }
}

const countCalls = (calls: readonly LimitCall[]): CallCounts => ({
  calls: calls.filter(({ verdict }) => verdict !== 'unknown').length,
  refused: calls.filter(({ verdict }) => verdict === 'refused').length,
})

function acceptedPerSecond({ accepted: { at } }: Sequence): number | null {
  const spanMs = (at.at(-1) ?? 0) - (at[0] ?? 0)
  return spanMs > 0 ? ((at.length - 1) * 1000) / spanMs : null
}

function isSameRate({ perSecond: one }: Fit, { perSecond: other }: Fit, share: number): boolean {
  return one !== undefined && other !== undefined && Math.abs(one.value / other.value - 1) <= share
}

const isWithin = (range: Range | undefined, share: number): boolean =>
  range === undefined ||
  (range.value - range.low <= share * range.value && range.high - range.value <= share * range.value)

const MIN_SUSTAINED = 10

/**
 * True if enough calls in a row were accepted at that rate, so that the finding claims no more than the record shows. Always true for
 * windows: their size is the most calls accepted in one.
 */
function wasSustained({ perSecond, windowMs }: Fit, { accepted: { at } }: Sequence): boolean {
  if (perSecond === undefined || windowMs !== undefined) return true
  const mostMs = (1000 * MIN_SUSTAINED) / ((1 - CLOSE) * perSecond.value)
  return at.some((from, place) => (at[place + MIN_SUSTAINED] ?? Infinity) - from <= mostMs)
}

export const findLimitInRecord = ({ latest, ...counts }: LimitCalls): LimitFinding | null =>
  counts.refused === 0 ? null : inferLimit(latest, counts).finding
