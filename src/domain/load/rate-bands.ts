// What came of calls by the rate at which threads were to arrive when they fell due, and whether grounding falls with it.
import * as z from 'zod'
import { coverageSchema, latencySchema } from '../summary.ts'

const counts = z.record(z.string(), z.int())

export const rateBandSchema = z.object({
  /** Threads a second that the timetable had; the same where it was constant. */
  from: z.number(),
  to: z.number(),
  /** Threads due, and of them those dropped. */
  threads: z.int(),
  dropped: z.int(),
  /** Turns that came to an end: answered, refused with 429, failed otherwise. */
  answered: z.int(),
  refused: z.int(),
  errors: z.int(),
  /** All of them by how they ended. */
  outcomes: counts,
  contextSource: counts,
  status: counts,
  coverage: coverageSchema,
  serviceMs: latencySchema,
  responseMs: latencySchema,
})
export type RateBand = z.infer<typeof rateBandSchema>

const bandEdgesSchema = z.object({ from: z.number(), to: z.number() })

/** Conversations of one thread of the set are held against each other, as the rate was when they began; threads are not mixed. */
export const groundingTrendSchema = z.object({
  /** `untested`: one rate alone was offered, or too few answers are known to tell by. */
  verdict: z.enum(['falls', 'rises', 'none', 'untested']),
  /** Two-sided; null where untested. */
  p: z.number().nullable(),
  /** The grounded share of the answers in the highest band less that in the lowest, as observed; null where untested. */
  change: z.number().nullable(),
  /** Those two bands, threads a second; null where untested. */
  between: z.object({ low: bandEdgesSchema, high: bandEdgesSchema }).nullable().default(null),
  /** Threads a second. */
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
  /** Conversations with an answer in its context. */
  conversations: z.int(),
  /** The rate never fell: what time did to the endpoint cannot be told from what the rate did. */
  onlyRose: z.boolean(),
})
export type GroundingTrend = z.infer<typeof groundingTrendSchema>
