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

const ratePerSecond = z.number()
const windowMs = z.number()
const limit = z.int()

/**
 * `window` has a maximum of calls in each window, fixed or sliding, `token-bucket` a burst, then a steady
 * rate (GCRA and a leaky queue look the same), `concurrency` a maximum of calls in flight.
 */
export const limitFindingSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('window'), limit, windowMs, ratePerSecond, ...evidence }),
  z.object({
    kind: z.literal('token-bucket'),
    burst: z.int(),
    ratePerSecond,
    ...evidence,
  }),
  z.object({ kind: z.literal('concurrency'), inFlight: z.int(), ...evidence }),
  z.object({ kind: z.literal('none-met'), ...evidence }),
  z.object({
    kind: z.literal('unknown'),
    /**
     * Too few refusals tell nothing (`hardly-met`), no limit explains every call (`unclear`), or no even rate
     * slightly above the one that does was refused (`untried`).
     */
    code: z.enum(['hardly-met', 'unclear', 'untried']),
    ...evidence,
  }),
])
export type LimitFinding = z.infer<typeof limitFindingSchema>

const limitRuleSchema = z.object({ limit: z.number(), windowMs })
export type LimitRule = z.infer<typeof limitRuleSchema>

/** A second rule has a longer window, such as 200 a minute beside 10 a second. */
export const secondRuleSchema = z.object({
  /** Calls were accepted slightly below the limit's rate for so long. Null if for no round time. */
  ruledOutToMs: z.number().nullable(),
  /**
   * The limit is known only if the longest announced window up to an hour is ruled out, or else the next
   * round one.
   */
  neededMs: z.number(),
  announced: z.array(limitRuleSchema),
})
export type LimitKind = Exclude<LimitFinding['kind'], 'none-met' | 'unknown'>

export interface LimitGuess {
  readonly kind: LimitKind
  readonly size: number
  readonly windowMs?: number
  readonly perSecond: number
}

export function limitOf({ kind, size, windowMs: ms = 0, perSecond }: LimitGuess) {
  switch (kind) {
    case 'window':
      return { kind, limit: size, windowMs: ms, ratePerSecond: perSecond }
    case 'token-bucket':
      return { kind, burst: size, ratePerSecond: perSecond }
    case 'concurrency':
      return { kind, inFlight: size }
  }
}

/** Is what the calls of a search do not show yet. */
export type LimitDoubt =
  /** No rule explains every call, or the limit was hardly met. */
  | { readonly kind: 'limit' }
  /** No even pace slightly above the rule was refused. */
  | { readonly kind: 'above' }
  /** Calls must keep to the rule until then, in milliseconds since the epoch, to see if there is a second. */
  | { readonly kind: 'second'; readonly until: number }

/** Says what a search does about a doubt; it sent its first call at `startedAt`. */
export function doubtText(doubt: LimitDoubt, startedAt: number): string {
  switch (doubt.kind) {
    case 'limit':
      return 'looking for the limit'
    case 'above':
      return 'trying a rate slightly above it'
    case 'second':
      return `looking for a second rule, until ${duration(doubt.until - startedAt)}`
  }
}

export function limitSentence(finding: LimitFinding): string {
  switch (finding.kind) {
    case 'window':
      return limitRuleText(finding)
    case 'token-bucket':
      return `${rateText(finding.ratePerSecond)}, ${digits(finding.burst)} at once`
    case 'concurrency':
      return `${digits(finding.inFlight)} calls in flight`
    case 'none-met':
      return finding.calls === 0
        ? 'not reached: no call was answered'
        : `not reached: none of ${plural(finding.calls, 'call')} was refused`
    case 'unknown':
      return `unknown: ${whyUnknown(finding)}`
  }
}

export const whyUnknown = ({ code, refused, calls }: LimitFinding & { readonly kind: 'unknown' }): string =>
  `${UNKNOWN[code]} (${digits(refused)} of ${digits(calls)} refused)`

const UNKNOWN = {
  'hardly-met': 'too few calls were refused to tell',
  unclear: 'no limit explains which calls were refused',
  untried: 'no rate slightly above what was found was refused',
}

/** Says whether a limit was found; it is known once a second rule is ruled out, too. */
export const isFoundLimit = (finding: LimitFinding): boolean =>
  finding.kind !== 'none-met' && finding.kind !== 'unknown'

export const limitRuleText = (rule: LimitRule): string =>
  `${plural(rule.limit, 'call')} per ${duration(rule.windowMs)}`
