// What a record of calls shows of the organization's limit.
import type { CallSeen, Estimate, LimitFinding, LimitTier } from '../../domain/limit.ts'
import { MOST_CALLS, readCalls, type Calls } from './calls.ts'
import { findChange } from './change.ts'
import { findClosures, type Closure } from './closures.ts'
import { fitSingle } from './fit-single.ts'
import type { Fit } from './fit.ts'
import { heldRate } from './held-rate.ts'
import { judgeConfidence } from './confidence.ts'
import { describeModel } from './model.ts'
import { traceLimit } from './trace.ts'

/** Parameters, and about a wrong fate. */
const CLEAN = 3
const FAR_LESS = 0.5
/** Below this a change of the limit would explain nothing. */
const WORTH_A_CHANGE = 12
const MODELS_TOLD = 6
/** Models this close in cost cannot be told apart: about a parameter and a wrong fate. */
const AS_GOOD = 1.6

export interface InferOptions {
  /** The record may hold a change of the limit: looked for where one limit does not explain it. Takes longer. */
  readonly mayChange: boolean
}

/**
 * `wallAtZero`: milliseconds since the Unix epoch at time 0 of the calls' clock. Calls in any order; those whose answer
 * says nothing of the limit (lost ones, 5xx) are better left out.
 */
export function inferLimit(
  seen: readonly CallSeen[],
  wallAtZero: number,
  { mayChange }: InferOptions = { mayChange: true },
): LimitFinding {
  const { calls, closures, models } = fitRecord(seen, wallAtZero)
  const cost = models[0]?.cost ?? 0
  if (!mayChange || cost < WORTH_A_CHANGE) return describe(seen, calls, closures, models)
  const latest = seen.length > MOST_CALLS ? seen.slice(-MOST_CALLS) : seen
  const ordered = latest.toSorted((one, other) => one.sentMs - other.sentMs)
  const place = findChange(ordered, wallAtZero, cost)
  if (place === undefined) return describe(seen, calls, closures, models)
  const after = ordered.slice(place)
  const record = fitRecord(after, wallAtZero)
  return describe(after, record.calls, record.closures, record.models, after[0]?.sentMs)
}

/**
 * Where some calls waited far longer than others, the record is read call by call, too: the sharper reading, but one that
 * rests on the order of calls. It holds where it leaves hardly anything unexplained, or far less than the other.
 */
function fitRecord(seen: readonly CallSeen[], wallAtZero: number): FittedRecord {
  const calls = readCalls(seen, wallAtZero, 'call-by-call')
  const isSharper = calls.doubt.some((doubt) => doubt > 0)
  const each = isSharper ? fitReading(calls) : undefined
  if (each !== undefined && costOf(each) < CLEAN) return each
  const alike = fitReading(readCalls(seen, wallAtZero))
  return each !== undefined && costOf(each) < FAR_LESS * costOf(alike) ? each : alike
}

interface FittedRecord {
  readonly calls: Calls
  readonly closures: readonly Closure[]
  readonly models: readonly Fit[]
}

const costOf = ({ models }: FittedRecord): number => models[0]?.cost ?? 0

function fitReading(calls: Calls): FittedRecord {
  const closures = findClosures(calls)
  return { calls, closures, models: closures.length === 0 ? [] : fitSingle(calls, closures) }
}

function describe(
  seen: readonly CallSeen[],
  calls: Calls,
  closures: readonly Closure[],
  models: readonly Fit[],
  changedAtMs?: number,
): LimitFinding {
  const [best] = models
  const tiers = best === undefined ? [] : [describeTier(best)]
  const first =
    best === undefined || tiers[0] === undefined ? undefined : widenByEquals(tiers[0], best, models)
  const refusals = seen.reduce((sum, one) => sum + (one.refused ? 1 : 0), 0)
  const held = heldRate(calls)
  const rival = models.find((model) => isRival(model, best))
  const evidence: LimitFinding['evidence'] = {
    calls: seen.length,
    refusals,
    episodes: closures.length,
    spanMs: (calls.at[calls.count - 1] ?? 0) - (calls.at[0] ?? 0),
    callsUsed: calls.count,
    networkMs: calls.blurMs,
    heldPerSecond: held?.perSecond ?? null,
    heldForMs: held?.forMs ?? null,
    models: models.slice(0, MODELS_TOLD).map((model) => describeModel(model, calls)),
    runnerUpBehind: best && rival ? rival.cost - best.cost : null,
    changedAtMs: changedAtMs ?? null,
  }
  const kind = refusals === 0 ? 'none-met' : (first?.kind ?? 'unknown')
  const atLeast = held && { value: held.perSecond, low: held.perSecond, high: null }
  const finding: Omit<LimitFinding, 'confidence' | 'reasons'> = {
    kind,
    tiers,
    traces: best === undefined ? [] : [traceLimit(best, calls, closures)],
    sustainedPerSecond: kind === 'none-met' ? (atLeast ?? null) : (first?.perSecond ?? null),
    windowMs: first?.windowMs ?? null,
    burst: first?.burst ?? null,
    atOnce: first?.atOnce ?? null,
    evidence,
  }
  return { ...finding, ...judgeConfidence(finding, calls.reading) }
}

/** Figures of the best model hold no closer than those of others that explain as much. */
function widenByEquals(tier: LimitTier, best: Fit, models: readonly Fit[]): LimitTier {
  const equals = models.filter(({ cost }) => cost < best.cost + AS_GOOD)
  const widen = (own: Estimate | null, key: 'perSecond' | 'windowMs'): Estimate | null => {
    const ranges = equals.flatMap((fit) => fit[key] ?? [])
    if (own === null || own.high === null) return own
    return {
      value: own.value,
      low: Math.min(own.low, ...ranges.map(({ low }) => low)),
      high: Math.max(own.high, ...ranges.map(({ high }) => high)),
    }
  }
  return {
    ...tier,
    perSecond: widen(tier.perSecond, 'perSecond'),
    windowMs: widen(tier.windowMs, 'windowMs'),
  }
}

/** With one call at a time all kinds are the same. */
function isRival(model: Fit, best: Fit | undefined): boolean {
  if (best === undefined || model.kind === best.kind) return false
  const isSingle = ({ kind, cut }: Fit): boolean => cut.threshold === 1 && kind !== 'concurrency'
  return !(isSingle(model) && isSingle(best))
}

function describeTier({ kind, variant, cut, episodes, windowMs, perSecond }: Fit): LimitTier {
  const size = { value: cut.threshold, low: cut.low, high: cut.high }
  const isAtOnce = kind === 'concurrency'
  return {
    kind,
    variant,
    episodes,
    perSecond: perSecond ?? null,
    windowMs: windowMs ?? null,
    burst: isAtOnce ? null : size,
    atOnce: isAtOnce ? size : null,
  }
}
