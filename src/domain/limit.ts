// The organization's rate limit, as far as calls reveal it.
import * as z from 'zod'
import { type AttemptResult, statusOf } from './attempt.ts'
import { digits, duration, plural, rateText } from './format.ts'

/**
 * The time is milliseconds since the Unix epoch. `accepted` is a 2xx, `refused` a 429, `unknown` a 5xx, a
 * timeout or another error that the limit may have counted.
 */
export interface LimitCall {
  readonly sentAt: number
  readonly endedAt: number
  readonly verdict: 'accepted' | 'refused' | 'unknown'
}

/** Returns undefined if the call certainly never reached the endpoint. */
export function callVerdict(result: AttemptResult): LimitCall['verdict'] | undefined {
  const status = statusOf(result) ?? 0
  if (status === 429) return 'refused'
  if (status >= 200 && status < 300) return 'accepted'
  return 'sent' in result && !result.sent ? undefined : 'unknown'
}

const evidence = {
  calls: z.int(),
  refused: z.int(),
  /** Refusals in a row count once. */
  timesMet: z.int(),
  /** The time runs from the first accepted call to the last; null for fewer than two. */
  acceptedPerSecond: z.number().nullable(),
}

const fitted = {
  ...evidence,
  /** A replay of this limit reproduces the verdict of this share of the calls. */
  explained: z.number(),
  /** It is `high` if rate and window are known within 5 %, and no other kind explains the calls as well. */
  confidence: z.enum(['high', 'medium']),
}

const ratePerSecond = z.number()
const windowMs = z.number()
const limit = z.int()

/**
 * `fixed-window` restarts its count at intervals, `sliding-window` has a maximum in any such time,
 * `token-bucket` a burst, then a steady rate (GCRA looks the same), `concurrency` a maximum of calls in
 * flight.
 */
export const limitFindingSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('fixed-window'),
    /** Windows begin at full multiples of `windowMs` on the clock. */
    aligned: z.boolean(),
    limit,
    windowMs,
    ratePerSecond,
    ...fitted,
  }),
  z.object({ kind: z.literal('sliding-window'), limit, windowMs, ratePerSecond, ...fitted }),
  z.object({
    kind: z.literal('token-bucket'),
    /** So many calls are accepted at once after a pause. */
    burst: z.int(),
    ratePerSecond,
    ...fitted,
  }),
  z.object({ kind: z.literal('concurrency'), inFlight: z.int(), ...fitted }),
  z.object({ kind: z.literal('none-met'), ...evidence }),
  z.object({
    kind: z.literal('unknown'),
    /** Too few refusals tell nothing (`hardly-met`), or no limit fits, or several fit equally (`unclear`). */
    code: z.enum(['hardly-met', 'unclear']),
    ...evidence,
  }),
])
export type LimitFinding = z.infer<typeof limitFindingSchema>

const limitRuleSchema = z.object({ limit: z.number(), windowMs })
/** The endpoint's headers announce it (`RateLimit-Policy`). */
export type LimitRule = z.infer<typeof limitRuleSchema>

/** A second rule has a longer window, such as 200 a minute beside 10 a second. */
export const secondRuleSchema = z.object({
  /** Calls were accepted at the limit's rate for so long. Null if for no round time. */
  ruledOutToMs: z.number().nullable(),
  /**
   * The limit is known only if the longest announced window up to an hour is ruled out, or else the next
   * round one.
   */
  neededMs: z.number(),
  announced: z.array(limitRuleSchema),
})
export type SecondRule = z.infer<typeof secondRuleSchema>
export type LimitKind = Exclude<LimitFinding['kind'], 'none-met' | 'unknown'>

export function limitSentence(finding: LimitFinding): string {
  const confidence = 'confidence' in finding ? ` (${finding.confidence} confidence)` : ''
  return `${limitText(finding)}${confidence}`
}

export function limitText(finding: LimitFinding): string {
  switch (finding.kind) {
    case 'fixed-window':
      return `${limitRuleText(finding)}, in fixed windows`
    case 'sliding-window':
      return `${digits(finding.limit)} calls in any ${duration(finding.windowMs)}`
    case 'token-bucket':
      return `${rateText(finding.ratePerSecond)}, ${digits(finding.burst)} at once`
    case 'concurrency':
      return `${digits(finding.inFlight)} calls in flight`
    case 'none-met':
      return `not reached: none of ${digits(finding.calls)} calls was refused`
    case 'unknown': {
      const { code, refused, calls } = finding
      const of = `(${digits(refused)} of ${digits(calls)})`
      return code === 'hardly-met'
        ? `unknown: too few calls were refused to tell ${of}`
        : `unknown: no single limit explains which calls were refused ${of}`
    }
  }
}

export const limitRuleText = (rule: LimitRule): string =>
  `${plural(rule.limit, 'call')} per ${duration(rule.windowMs)}`
