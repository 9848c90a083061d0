// The organization's limit in words: what the record of calls shows of it, how sure that is, and why.
import type { LimitFinding, LimitReason, TriedModel, InferredLimit } from '../domain/limit.ts'
import type { Summary } from '../domain/summary.ts'
import { KIND_NAMES, ruleWords, VARIANT_NAMES } from './limit-rule-words.ts'
import { plural } from '../domain/text.ts'
import { callRate, duration } from './numbers.ts'
import { grouped } from './uncertain.ts'

type Pacing = Pick<Summary['pacing'], 'finding' | 'limit'>

/** Reasons named on one line; the page names them all. */
const MOST_REASONS = 2

type QuotedLimit =
  | { readonly by: 'finding'; readonly finding: LimitFinding }
  | { readonly by: 'limiter'; readonly limit: InferredLimit }

/**
 * The one that reports speak of, so that no two places contradict each other: the finding where it is sure enough and explains
 * the record, else what the limiter learned while it ran, else the finding with a "perhaps"; undefined where none was met.
 */
export function quotedLimit({ finding, limit }: Pacing): QuotedLimit | undefined {
  if (finding !== null && finding.confidence !== 'low' && !finding.reasons.includes('model-fits-badly'))
    return { by: 'finding', finding }
  if (limit !== null) return { by: 'limiter', limit }
  return finding === null ? undefined : { by: 'finding', finding }
}

/** On one line; undefined where the limit was never met. */
export function limitLine(pacing: Pacing): string | undefined {
  const quoted = quotedLimit(pacing)
  if (quoted === undefined) return undefined
  return quoted.by === 'finding' ? describeFinding(quoted.finding) : describeLearned(quoted.limit)
}

/** Calls a second of the limit that is spoken of; null where it is none of a rate. */
export function quotedPerSecond(pacing: Pacing): number | null {
  const quoted = quotedLimit(pacing)
  if (quoted?.by === 'finding') return quoted.finding.sustainedPerSecond?.value ?? null
  return quoted?.limit.perSecond ?? null
}

/** `60 calls a minute, in windows that turn at full minutes (high confidence: 3 of 3 refusals explained, …)`. */
export function describeFinding(finding: LimitFinding): string {
  if (!isExplained(finding))
    return `not known: no kind of limit explains when the ${plural(finding.evidence.refusals, 'call')} were refused`
  return `${findingWords(finding)} (${confidenceWords(finding)})`
}

/** Whether the rules that fit best are worth naming: they explain what was refused at least in good part. */
export const isExplained = ({ confidence, reasons }: LimitFinding): boolean =>
  confidence !== 'low' || !reasons.includes('model-fits-badly')

/** The rules of the limit. What is not sure is never said as if it were. */
export function findingWords({ kind, tiers, confidence, reasons, evidence }: LimitFinding): string {
  const { heldPerSecond, heldForMs } = evidence
  if (kind === 'none-met') {
    if (heldPerSecond === null || heldForMs === null) return 'no limit was met'
    return `no limit was met: ${callRate(heldPerSecond)} were let through for ${duration(heldForMs)}`
  }
  if (kind === 'unknown') return 'a limit that no known kind explains'
  const isOpen = confidence === 'low' || reasons.some((reason) => OPEN.has(reason))
  const qualifier = isOpen ? 'perhaps ' : confidence === 'medium' ? 'probably ' : ''
  return `${qualifier}${tiers.map(ruleWords).join('')}`
}

/** With one of these the kind itself may be wrong, or every figure blurred. */
const OPEN: ReadonlySet<LimitReason> = new Set(['model-fits-badly', 'other-kind-fits-as-well'])

/** `high confidence: 3 of 3 refusals explained, 412 of 412 calls let through`. */
export function confidenceWords(finding: LimitFinding): string {
  const doubts = finding.reasons.filter((reason) => reason !== 'model-fits')
  const named = doubts.slice(0, MOST_REASONS).map((reason) => reasonWords(reason, finding))
  const explained = explainedWords(finding)
  return `${finding.confidence} confidence: ${[...named, ...(explained === undefined ? [] : [explained])].join('; ')}`
}

/** What the best model foretells of the calls it was tried on; undefined where none was. */
function explainedWords({ evidence }: LimitFinding): string | undefined {
  const [best] = evidence.models
  if (best === undefined) return undefined
  const { refused, accepted } = explainedCells(best, evidence)
  return `${refused} refusals explained, ${accepted} calls let through`
}

/** `3 of 3`, or a share where not every call of the record was tried. */
export function explainedCells(
  { refusedExplained, acceptedExplained }: TriedModel,
  { calls, callsUsed, refusals }: LimitFinding['evidence'],
): { readonly refused: string; readonly accepted: string } {
  const cell = (share: number | null, of: number): string => {
    if (share === null) return 'none'
    if (callsUsed === calls) return `${grouped(Math.round(share * of))} of ${grouped(of)}`
    return share === 1 ? 'all' : `${grouped(Math.min(99.9, share * 100), 1)} % of the`
  }
  return { refused: cell(refusedExplained, refusals), accepted: cell(acceptedExplained, calls - refusals) }
}

/** One reason of a finding's confidence, as a part of a sentence. */
export function reasonWords(reason: LimitReason, { evidence }: LimitFinding): string {
  const { refusals, calls, callsUsed, changedAtMs } = evidence
  switch (reason) {
    case 'no-refusal':
      return 'nothing was refused'
    case 'few-refusals':
      return `only ${plural(refusals, 'refusal')}`
    case 'one-episode':
      return 'the limit was met only once'
    case 'order-blurred':
      return `some refused calls waited ${duration(evidence.networkMs)} longer than others for their answer, so the order of the calls is not known`
    case 'model-fits':
      return 'one kind of limit explains the record, and the others do not'
    case 'model-fits-badly':
      return 'it explains the calls only in part, or only by what the network may have delayed'
    case 'other-kind-fits-as-well':
      return `${rivalName(evidence)} would explain it as well`
    case 'rate-uncertain':
      return 'the rate is not known closely'
    case 'window-uncertain':
      return 'the length of the window is not known closely'
    case 'burst-uncertain':
      return 'how many calls go at once is not known closely'
    case 'limit-changed':
      return changedAtMs === null
        ? 'the limit seems to have changed'
        : `the limit seems to have changed at ${new Date(changedAtMs).toISOString().slice(11, 19)} UTC, and this is the time after`
    case 'part-of-record-used':
      return `only ${grouped(callsUsed)} of ${grouped(calls)} calls were tried, the latest`
  }
}

function rivalName({ models }: LimitFinding['evidence']): string {
  const key = ({ kinds }: TriedModel): string => kinds.join('+')
  const [best, ...others] = models
  const rival = best && others.find((one) => key(one) !== key(best))
  return rival === undefined ? 'another kind of limit' : modelName(rival)
}

/** `a fixed window`, `a bucket and a fixed window`. */
const modelName = ({ kinds }: TriedModel): string => kinds.map((kind) => KIND_NAMES[kind]).join(' and ')

/** `a fixed window (turns with the clock)`. */
export function modelWords({ kinds, variants }: TriedModel): string {
  const parts = kinds.map((kind, place) => {
    const variant = variants[place] ?? null
    return variant === null ? KIND_NAMES[kind] : `${KIND_NAMES[kind]} (${VARIANT_NAMES[variant]})`
  })
  return parts.join(' and ')
}

/** What the limiter learned while the run went on: figures that paced it, with no claim to the kind of limit. */
export function describeLearned(limit: InferredLimit): string {
  const { kind, perSecond, windowMs, burst, atOnce, episodes, refusals, together = false } = limit
  const evidence = `met ${plural(episodes, 'time')}, ${plural(refusals, 'call')} refused${together ? ', by all jobs together' : ''}`
  if (kind === 'at-once') return `about ${plural(atOnce ?? 0, 'call')} at once (${evidence})`
  const rate = perSecond === null ? 'unknown' : `about ${callRate(perSecond)}`
  if (kind === 'stated') return `${rate}, as the endpoint's headers say (${evidence})`
  const window = windowMs === null ? '' : `, opens again after ${duration(windowMs)} at most`
  const extra = burst === null || burst === 0 ? '' : `, ${plural(burst, 'call')} more at first`
  return `${rate}${window}${extra} (${evidence})`
}
