// What a record of calls shows of the organization's limit.
import type { CallSeen, Estimate, LimitFinding, LimitTier } from '../../domain/limit-finding.ts'
import { MOST_CALLS, readCalls, type Calls } from './calls.ts'
import { isBlurred } from './blur.ts'
import { findChange } from './change.ts'
import { findClosures, type Closure } from './closures.ts'
import { fitPair } from './fit-pair.ts'
import { fitShared } from './fit-shared.ts'
import { fitSingle } from './fit-single.ts'
import type { Fit } from './fit.ts'
import { heldRate } from './held-rate.ts'
import { judgeConfidence } from './confidence.ts'
import { describeModel, type Model } from './model.ts'
import { traceTiers } from './trace.ts'

/** With so many wrong fates more than its parameters cost, one limit alone is doubted. */
const DOUBTED = 3
/**
 * Where most calls are refused, a second limit, or other traffic, must take away so much of what one limit alone costs: calls
 * that waited in a flood come in another order than they were sent, and a little of that disorder is explained by anything
 * that is added.
 */
const WORTH_MORE_RULES = 0.5
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
  const each = isSharper ? fitReading(seen, calls) : undefined
  if (each !== undefined && costOf(each) < CLEAN) return each
  const alike = fitReading(seen, readCalls(seen, wallAtZero))
  return each !== undefined && costOf(each) < FAR_LESS * costOf(alike) ? each : alike
}

interface FittedRecord {
  readonly calls: Calls
  readonly closures: readonly Closure[]
  readonly models: readonly Model[]
}

const costOf = ({ models }: FittedRecord): number => models[0]?.cost ?? 0

function fitReading(seen: readonly CallSeen[], calls: Calls): FittedRecord {
  const closures = findClosures(calls)
  const refusals = seen.reduce((sum, { refused }) => sum + (refused ? 1 : 0), 0)
  const isFlood = refusals > seen.length / 2
  return { calls, closures, models: closures.length === 0 ? [] : fitModels(calls, closures, isFlood) }
}

function fitModels(calls: Calls, closures: readonly Closure[], isFlood: boolean): Model[] {
  const fits = fitSingle(calls, closures)
  const singles = fits.map((fit): Model => ({ tiers: [fit], cost: fit.cost }))
  const [best] = singles
  const isDoubted = best !== undefined && best.cost - (best.tiers[0]?.parameterCost ?? 0) >= DOUBTED
  const [tier] = best?.tiers ?? []
  const isOneAtMost =
    !isDoubted || (tier && isBlurred(calls.blurMs, tier.perSecond?.value, tier.cut.threshold))
  if (isOneAtMost) return singles.toSorted((a, b) => a.cost - b.cost)
  const others = [...fitPair(calls, closures), ...fitShared(calls, closures, fits)].filter(
    ({ cost }) => !isFlood || cost >= best.cost || cost <= WORTH_MORE_RULES * best.cost,
  )
  return [...singles, ...others].toSorted((a, b) => a.cost - b.cost)
}

function describe(
  seen: readonly CallSeen[],
  calls: Calls,
  closures: readonly Closure[],
  models: readonly Model[],
  changedAtMs?: number,
): LimitFinding {
  const [best] = models
  const tiers = (best?.tiers ?? []).map(describeTier)
  const [first] = widenByEquals(tiers, models)
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
    traces: traceTiers(best?.tiers ?? [], calls, closures),
    sustainedPerSecond: kind === 'none-met' ? (atLeast ?? null) : (first?.perSecond ?? null),
    windowMs: first?.windowMs ?? null,
    burst: first?.burst ?? null,
    atOnce: first?.atOnce ?? null,
    foreignPerSecond: best?.foreign ?? null,
    evidence,
  }
  return { ...finding, ...judgeConfidence(finding, calls.reading) }
}

/** Figures of the best model hold no closer than those of others that explain as much. */
function widenByEquals(tiers: readonly LimitTier[], models: readonly Model[]): LimitTier[] {
  const [first, ...rest] = tiers
  const [best, ...others] = models
  if (first === undefined || best === undefined) return []
  const equals = others
    .filter(({ cost }) => cost < best.cost + AS_GOOD)
    .flatMap(({ tiers: [tier] }) => tier ?? [])
  const widen = (own: Estimate | null, key: 'perSecond' | 'windowMs'): Estimate | null => {
    const ranges = equals.flatMap((tier) => tier[key] ?? [])
    if (own === null || own.high === null) return own
    return {
      value: own.value,
      low: Math.min(own.low, ...ranges.map(({ low }) => low)),
      high: Math.max(own.high, ...ranges.map(({ high }) => high)),
    }
  }
  return [
    { ...first, perSecond: widen(first.perSecond, 'perSecond'), windowMs: widen(first.windowMs, 'windowMs') },
    ...rest,
  ]
}

/** With one call at a time all kinds are the same. */
function isRival(model: Model, best: Model | undefined): boolean {
  const kindsOf = ({ tiers }: Model): string => tiers.map(({ kind }) => kind).join('+')
  if (best === undefined || kindsOf(model) === kindsOf(best)) return false
  const isSingle = ({ tiers }: Model): boolean =>
    tiers.length === 1 && tiers[0]?.cut.threshold === 1 && tiers[0].kind !== 'concurrency'
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
