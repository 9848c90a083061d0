// How sure a finding is, and why.
import type { Estimate, LimitFinding, LimitReason } from '../../domain/limit.ts'
import type { Reading } from './calls.ts'

const FEW_REFUSALS = 4
const FITS = 0.9
const FITS_BADLY = 0.7
/**
 * Costs beyond this, and this much for each call, are more than a network's doing; of a record that is read call by call the
 * network's doing is known already.
 */
const FIT_COST = 6
const FIT_COST_A_CALL = 0.02
const SHARP_FIT_COST = 10
const SHARPLY_PASSES = 0.97
/** A kind this much behind, in wrong fates, is ruled out. */
const AS_WELL = 2
const RATE_WITHIN = 0.05
const SIZE_WITHIN = 0.2

/** `reading`: how the record was read. */
export function judgeConfidence(
  finding: Omit<LimitFinding, 'confidence' | 'reasons'>,
  reading: Reading,
): Pick<LimitFinding, 'confidence' | 'reasons'> {
  const { kind, evidence, sustainedPerSecond, windowMs, burst, atOnce } = finding
  if (kind === 'none-met') return { confidence: 'low', reasons: ['no-refusal'] }
  const [best] = evidence.models
  const explained = best?.refusedExplained ?? 0
  const passes = best?.acceptedExplained ?? 0
  const grave: LimitReason[] = []
  const slight: LimitReason[] = []
  if (evidence.refusals < FEW_REFUSALS) grave.push('few-refusals')
  if (finding.tiers.some(({ episodes }) => episodes < 2)) grave.push('one-episode')
  if (burst !== null && isBlurred(evidence.networkMs, sustainedPerSecond?.value, burst.value))
    grave.push('order-blurred')
  if (explained < FITS_BADLY || passes < FITS) grave.push('model-fits-badly')
  else if (
    explained < FITS ||
    passes < leastPassing(reading) ||
    (best?.cost ?? 0) > mostCost(reading, evidence.callsUsed)
  )
    slight.push('model-fits-badly')
  if ((evidence.runnerUpBehind ?? Infinity) < AS_WELL) slight.push('other-kind-fits-as-well')
  if (evidence.changedAtMs !== null) slight.push('limit-changed')
  if (sustainedPerSecond !== null && isWide(sustainedPerSecond, RATE_WITHIN)) slight.push('rate-uncertain')
  if (windowMs !== null && isWide(windowMs, SIZE_WITHIN)) slight.push('window-uncertain')
  if ([burst, atOnce].some((one) => one !== null && isWide(one, SIZE_WITHIN))) slight.push('burst-uncertain')
  const reasons = [...grave, ...slight]
  if (evidence.callsUsed < evidence.calls / 2) reasons.push('part-of-record-used')
  if (reasons.length === 0) return { confidence: 'high', reasons: ['model-fits'] }
  return { confidence: grave.length > 0 ? 'low' : slight.length > 0 ? 'medium' : 'high', reasons }
}

const mostCost = (reading: Reading, callsUsed: number): number =>
  reading === 'call-by-call' ? SHARP_FIT_COST : FIT_COST + FIT_COST_A_CALL * callsUsed

const leastPassing = (reading: Reading): number => (reading === 'call-by-call' ? SHARPLY_PASSES : FITS)

function isWide({ value, low, high }: Estimate, part: number): boolean {
  return high === null || value - low > part * value || high - value > part * value
}

/** What an ordinary network does to the moments of calls is weighed call by call. */
const ORDINARY_MS = 100
/** In the time by which calls may have been moved, a limit lets through so much of what it lets through at once. */
const BLURRED = 0.5

const isBlurred = (networkMs: number, perSecond: number | undefined, atOnce: number): boolean =>
  networkMs > ORDINARY_MS && perSecond !== undefined && (networkMs / 1000) * perSecond > BLURRED * atOnce
