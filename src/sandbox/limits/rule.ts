// The kinds of rate limit, as the config file names them, and what each must be able to say.
import * as z from 'zod'
import { periodSchema } from '../duration.ts'

/** Calls allowed in a window. */
const limit = z.int().positive()
const window = periodSchema
/** How the IETF headers call it. */
const name = z
  .string()
  .regex(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens')
  .optional()

export const limitRuleSchema = z.discriminatedUnion('kind', [
  /** Counts anew at each full window of the clock: up to twice the limit may pass around the turn. */
  z.strictObject({ kind: z.literal('fixed-window'), limit, window, name }),
  /** Never more than the limit in any window, wherever it starts. */
  z.strictObject({ kind: z.literal('sliding-window'), limit, window, name }),
  /** Holds `burst` calls (default: the limit), and gains `limit` a window. */
  z.strictObject({
    kind: z.literal('token-bucket'),
    limit,
    window,
    burst: z.int().positive().optional(),
    name,
  }),
  /** Spaces calls by window / limit, tolerating `burst` at once (default: 1, no burst at all). */
  z.strictObject({ kind: z.literal('gcra'), limit, window, burst: z.int().positive().optional(), name }),
])
export type LimitRule = z.output<typeof limitRuleSchema>

/** How the headers call a rule, by its place from 0. */
export const nameOf = (rule: LimitRule, index: number): string => rule.name ?? `${rule.kind}-${index + 1}`

/** Rules that hold together: headers tell them apart by name alone. */
export const limitRulesSchema = z.array(limitRuleSchema).superRefine((rules, context) => {
  const names = rules.map(nameOf)
  for (const [index, one] of names.entries()) {
    if (names.indexOf(one) === index) continue
    const message = `'${one}' names two rules; headers tell them apart by name alone`
    context.addIssue({ code: 'custom', path: [index, 'name'], message })
  }
})

/** What a limit tells of itself in headers. */
export interface Standing {
  readonly limit: number
  readonly windowMs: number
  /** Calls that would be allowed now, one after the other. */
  readonly remaining: number
  /** When the whole allowance is there again, if nobody calls. */
  readonly resetAt: number
}

/** One rule with its memory. Times are milliseconds, arrive as parameters, and never run backwards. */
export interface Limit {
  /** The earliest time, `now` or later, at which one more call is allowed. */
  readonly nextAt: (now: number) => number
  /** Takes one call. Without leave of `nextAt` it is one too many, for which later ones wait. */
  readonly spend: (now: number) => void
  readonly standing: (now: number) => Standing
}
