// Infers the organization's rate limit, and how certain it is, from the calls of a run, a load test or a limit search.
import type { JournalRecord } from '../../domain/journal.ts'
import { type LimitCall, type LimitFinding, verdictOf } from '../../domain/limit.ts'
import type { Stop } from '../../domain/stop.ts'
import { type Fit, fitLimits } from './fit.ts'
import type { Range } from './search.ts'
import { arrange, MOST_CALLS, type Sequence, thin } from './sequence.ts'

/** A stop on refusals with a named wait: the quota is used up, which outlasts a rate limit. */
const isQuotaSpent = (stop: Stop): boolean =>
  stop.kind === 'gaveUp' && stop.over === 'refusals' && stop.namedMs !== undefined

/** Counts of the whole record, of which only some calls may be at hand. */
interface CallCounts {
  readonly calls: number
  readonly refused: number
}

export interface Inferred {
  readonly finding: LimitFinding
  readonly isKnown: boolean
  /** The limit that explains the calls best, however uncertain. Undefined if no limit was met. */
  readonly best: Fit | undefined
}

/** Fewer refusals, or fewer closures, show almost nothing. */
const FEWEST_REFUSED = 3
const FEWEST_MET = 2
/** Several limits explain fewer refusals, so an unclear limit counts as hardly met. */
const FEWEST_DOUBTED = 10
const EXPLAINS = 0.9
/** Least share of refusals explained without the tolerance, which alone would explain refusals of calls at the limit's own rate. */
const FIRMLY = 0.5
/** A limit that costs this many wrong verdicts more than the best is ruled out. */
const AS_GOOD = 2
/** Distance to either bound as a share of the value: known closely, and known at all. */
const CLOSE = 0.05
const CLOSE_SIZE = 0.2
const ROUGH = 0.2

/** Takes 0.1 to 1 second for `MOST_CALLS` calls. `counts` are those of `calls` by default. */
export function inferLimit(calls: readonly LimitCall[], counts: CallCounts = countCalls(calls)): Inferred {
  const sequence = arrange(calls)
  const fits = fitLimits(sequence)
  const [best] = fits
  const timesMet = sequence.closures.filter(
    ({ openedAt, accepted }, place, all) =>
      openedAt !== undefined || (place === all.length - 1 && accepted > 0),
  ).length
  const evidence = { ...counts, timesMet, acceptedPerSecond: acceptedPerSecond(sequence) }
  const unknown = (code: Extract<LimitFinding, { kind: 'unknown' }>['code']): Inferred => ({
    finding: { kind: 'unknown', code, ...evidence },
    isKnown: false,
    best,
  })
  if (counts.refused === 0) return { finding: { kind: 'none-met', ...evidence }, isKnown: false, best }
  if (best === undefined || counts.refused < FEWEST_REFUSED || timesMet < FEWEST_MET)
    return unknown('hardly-met')
  const doubtful = unknown(counts.refused < FEWEST_DOUBTED ? 'hardly-met' : 'unclear')
  const refused = sequence.count - sequence.perhaps.at.length
  const replayed = sequence.accepted.at.length + refused
  if (best.explained < EXPLAINS * replayed) return doubtful
  if (best.refusedFirmly < FIRMLY * refused) return unknown('hardly-met')
  const { kind, aligned, size, windowMs, perSecond } = best
  const rivals = fits.filter((fit) => fit !== best && fit.cost < best.cost + AS_GOOD)
  if (rivals.some((fit) => !isSameRate(fit, best, ROUGH))) return doubtful
  if (!isWithin(perSecond, ROUGH) || !wasAccepted(best, sequence)) return doubtful
  const isKnown =
    rivals.every(
      (fit) => fit.kind === kind && isSameRate(fit, best, CLOSE) && isWithin(fit.perSecond, CLOSE),
    ) &&
    isWithin(perSecond, CLOSE) &&
    isWithin(windowMs, CLOSE) &&
    isWithin(size, CLOSE_SIZE)
  const fitted = {
    ...evidence,
    explained: best.explained / replayed,
    confidence: isKnown ? ('high' as const) : ('medium' as const),
  }
  const rate = { ratePerSecond: perSecond?.value ?? 0 }
  const window = { limit: size.value, windowMs: windowMs?.value ?? 0, ...rate }
  const limits = {
    'fixed-window': { kind: 'fixed-window', aligned, ...window },
    'sliding-window': { kind: 'sliding-window', ...window },
    'token-bucket': { kind: 'token-bucket', burst: size.value, ...rate },
    concurrency: { kind: 'concurrency', inFlight: size.value },
  } as const
  return { finding: { ...limits[kind], ...fitted }, isKnown, best }
}

const countCalls = (calls: readonly LimitCall[]): CallCounts => ({
  calls: calls.filter(({ verdict }) => verdict !== 'unknown').length,
  refused: calls.filter(({ verdict }) => verdict === 'refused').length,
})

function acceptedPerSecond({ accepted: { at } }: Sequence): number | null {
  const spanMs = (at.at(-1) ?? 0) - (at[0] ?? 0)
  return spanMs > 0 ? ((at.length - 1) * 1000) / spanMs : null
}

function isSameRate({ perSecond: one }: Fit, { perSecond: other }: Fit, part: number): boolean {
  return one !== undefined && other !== undefined && Math.abs(one.value / other.value - 1) <= part
}

const isWithin = (range: Range | undefined, part: number): boolean =>
  range === undefined ||
  (range.value - range.low <= part * range.value && range.high - range.value <= part * range.value)

const FEWEST_SUSTAINED = 10

/**
 * True if enough calls in a row were accepted at that rate, so that the finding claims no more than the record shows. Always true for
 * windows: their size is the most calls accepted in one.
 */
function wasAccepted({ perSecond, windowMs }: Fit, { accepted: { at } }: Sequence): boolean {
  if (perSecond === undefined || windowMs !== undefined) return true
  const mostMs = (1000 * FEWEST_SUSTAINED) / ((1 - CLOSE) * perSecond.value)
  return at.some((from, place) => (at[place + FEWEST_SUSTAINED] ?? Infinity) - from <= mostMs)
}

export interface GatheredCalls extends CallCounts {
  /** All calls, or the latest of a long record. */
  readonly latest: readonly LimitCall[]
}

/** At this number, only the latest half is kept: still more than are replayed, because calls that end late are sorted in by sending time. */
const MOST_HELD = 4 * MOST_CALLS

export function createCallGatherer() {
  let held: LimitCall[] = []
  let [calls, refused] = [0, 0]
  return {
    /** Takes records in the order of the journals. */
    add: (record: JournalRecord): void => {
      if (record.kind === 'result') {
        const verdict = verdictOf(record.result)
        if (verdict === undefined) return
        if (verdict !== 'unknown') calls += 1
        if (verdict === 'refused') refused += 1
        held.push({ sentAt: record.at - record.serviceMs, endedAt: record.at, verdict })
        if (held.length >= MOST_HELD) held = thin(held).slice(-MOST_HELD / 2)
      } else if (record.kind === 'end' && isQuotaSpent(record.stop)) {
        // The quota refused these calls, not the rate limit.
        while (held.at(-1)?.verdict === 'refused') {
          held.pop()
          calls -= 1
          refused -= 1
        }
      }
    },
    finish: (): GatheredCalls => ({ latest: held, calls, refused }),
  }
}

export const findLimitInRecord = ({ latest, ...counts }: GatheredCalls): LimitFinding | null =>
  counts.refused === 0 ? null : inferLimit(latest, counts).finding
