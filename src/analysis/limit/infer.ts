// Infers the organization's rate limit, and how certain it is, from the calls of a search.
import type { LimitCall, LimitFinding } from '../../domain/limit.ts'
import type { Fit } from './fit.ts'
import { type FittedRule, separateRules } from './rules.ts'
import type { FittedRange } from './search.ts'
import type { Sequence } from './sequence.ts'

interface JudgedRule {
  readonly finding: LimitFinding
  /** The limit that explains the calls best, however uncertain. Undefined if no limit was met. */
  readonly best: Fit | undefined
}

export interface Inferred extends JudgedRule {
  /** Known means: high confidence, and every call is explained. */
  readonly isKnown: boolean
  /** A rule beside `finding`, which allows more calls a second for a shorter time. */
  readonly faster: LimitFinding | null
  /** A rule that calls must keep to, so that only `best` refuses them. */
  readonly keepTo: Fit | undefined
}

/** Takes 0.1 to 3 seconds for `MAX_CALLS` calls. */
export function inferLimit(calls: readonly LimitCall[]): Inferred {
  const counts = countCalls(calls)
  const { slowest, faster, explained } = separateRules(calls)
  if (faster === undefined) return alone(judgeRule(slowest, counts, explained))
  const fast = judgeRule(faster, countCalls(faster.sequence.calls), explained)
  // A faster rule that is not known yet hides the slower one.
  if (!isFound(fast.finding)) return alone({ ...fast, finding: { ...fast.finding, ...counts } })
  const slow = judgeRule(slowest, countCalls(slowest.sequence.calls), explained)
  const next = { best: slow.best, keepTo: fast.best }
  if (!isFound(slow.finding)) {
    const finding = { ...fast.finding, ...counts, confidence: 'medium' as const }
    return { ...next, finding, isKnown: false, faster: null }
  }
  const isKnown = isHigh(slow.finding) && isHigh(fast.finding)
  return { ...next, finding: { ...slow.finding, ...counts }, isKnown, faster: fast.finding }
}

const alone = (rule: JudgedRule): Inferred => ({
  ...rule,
  isKnown: isHigh(rule.finding),
  faster: null,
  keepTo: undefined,
})

type Found = Extract<LimitFinding, { confidence: unknown }>
const isFound = (finding: LimitFinding): finding is Found => 'confidence' in finding
const isHigh = (finding: LimitFinding): boolean => isFound(finding) && finding.confidence === 'high'

const countCalls = (calls: readonly LimitCall[]) => ({
  calls: calls.filter(({ verdict }) => verdict !== 'unknown').length,
  refused: calls.filter(({ verdict }) => verdict === 'refused').length,
})

/** Fewer refusals, or fewer streaks of them, show almost nothing. */
const MIN_REFUSED = 3
const MIN_TIMES_MET = 2
/** Several limits explain fewer refusals, so an unclear limit counts as hardly met. */
const MIN_REFUSED_UNCLEAR = 10
/** A limit that costs this many wrong verdicts more than the best is ruled out. */
const RIVAL_COST = 2

type Doubt = Extract<LimitFinding, { kind: 'unknown' }>['code']

/** `explained`: share of all calls that the rules explain together. */
function judgeRule(
  { sequence, fits }: FittedRule,
  counts: ReturnType<typeof countCalls>,
  explained: number,
): JudgedRule {
  const [best] = fits
  const timesMet = countTimesMet(sequence)
  const evidence = { ...counts, timesMet, acceptedPerSecond: acceptedPerSecond(sequence) }
  const unknown = (code: Doubt): JudgedRule => ({ finding: { kind: 'unknown', code, ...evidence }, best })
  if (counts.refused === 0) return { finding: { kind: 'none-met', ...evidence }, best }
  if (best === undefined || counts.refused < MIN_REFUSED || timesMet < MIN_TIMES_MET)
    return unknown('hardly-met')
  const rivals = fits.filter((fit) => fit !== best && fit.cost < best.cost + RIVAL_COST)
  const doubt = doubtAbout(best, rivals, sequence)
  if (doubt !== undefined) return unknown(counts.refused < MIN_REFUSED_UNCLEAR ? 'hardly-met' : doubt)
  const confidence = explained === 1 && isClose(best, rivals) ? 'high' : 'medium'
  return { finding: { ...limitOf(best), ...evidence, explained, confidence }, best }
}

/** The last streak counts if calls were accepted before it. */
const countTimesMet = ({ streaks }: Sequence): number =>
  streaks.filter(
    ({ reopenedAt, accepted }, index) =>
      reopenedAt !== undefined || (index === streaks.length - 1 && accepted > 0),
  ).length

function acceptedPerSecond({ accepted: { at } }: Sequence): number | null {
  const spanMs = (at.at(-1) ?? 0) - (at[0] ?? 0)
  return spanMs > 0 ? ((at.length - 1) * 1000) / spanMs : null
}

const MIN_EXPLAINED = 0.9
/** The tolerance alone would explain refusals of calls at the limit's own rate. */
const MIN_REFUSED_FIRMLY = 0.5
/** The distance to either bound is a share of the value: known at all, and known closely. */
const ROUGH = 0.2
const CLOSE = 0.05
const CLOSE_SIZE = 0.2

function doubtAbout(best: Fit, rivals: readonly Fit[], sequence: Sequence): Doubt | undefined {
  const refused = sequence.count - sequence.possible.at.length
  if (best.explained < MIN_EXPLAINED * (sequence.accepted.at.length + refused)) return 'unclear'
  if (best.refusedFirmly < MIN_REFUSED_FIRMLY * refused) return 'hardly-met'
  if (rivals.some((fit) => !isSameRate(fit, best, ROUGH))) return 'unclear'
  return isWithin(best.perSecond, ROUGH) && wasSustained(best, sequence) ? undefined : 'unclear'
}

const isClose = (best: Fit, rivals: readonly Fit[]): boolean =>
  isWithin(best.windowMs, CLOSE) &&
  isWithin(best.size, CLOSE_SIZE) &&
  [best, ...rivals].every(
    (fit) =>
      fit.kind === best.kind &&
      (fit === best || isSameRate(fit, best, CLOSE)) &&
      isWithin(fit.perSecond, CLOSE),
  )

const isSameRate = ({ perSecond: one }: Fit, { perSecond: other }: Fit, share: number): boolean =>
  one !== undefined && other !== undefined && Math.abs(one.value / other.value - 1) <= share

const isWithin = (range: FittedRange | undefined, share: number): boolean =>
  range === undefined ||
  (range.value - range.low <= share * range.value && range.high - range.value <= share * range.value)

const MIN_SUSTAINED = 10

/**
 * Calls in a row were accepted at that rate: a finding claims no more than the record shows. Windows are
 * always sustained, since their size is the most calls accepted in one.
 */
function wasSustained({ perSecond, windowMs }: Fit, { accepted: { at } }: Sequence): boolean {
  if (perSecond === undefined || windowMs !== undefined) return true
  const maxMs = (1000 * MIN_SUSTAINED) / ((1 - CLOSE) * perSecond.value)
  return at.some((from, index) => (at[index + MIN_SUSTAINED] ?? Infinity) - from <= maxMs)
}

function limitOf({ kind, aligned, size: { value: size }, windowMs, perSecond }: Fit) {
  const rate = { ratePerSecond: perSecond?.value ?? 0 }
  const window = { limit: size, windowMs: windowMs?.value ?? 0, ...rate }
  switch (kind) {
    case 'fixed-window':
      return { kind, aligned, ...window }
    case 'sliding-window':
      return { kind, ...window }
    case 'token-bucket':
      return { kind, burst: size, ...rate }
    case 'concurrency':
      return { kind, inFlight: size }
  }
}
