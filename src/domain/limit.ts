// What the limiter has learned of the organization's limit, and from how much.
import * as z from 'zod'

export const inferredLimitSchema = z.object({
  /**
   * `rate`: so many calls in a time; `window`: it opens again at intervals; `at-once`: so many calls in flight;
   * `stated`: the endpoint's headers say it.
   */
  kind: z.enum(['rate', 'window', 'at-once', 'stated']),
  /** Calls a second that it let through while it was used up; null for a limit on calls at once. */
  perSecond: z.number().nullable(),
  /** Longest time between one opening and the next, milliseconds, where that was seen. */
  windowMs: z.number().nullable(),
  /** Calls let through before the first refusal, beyond what the rate would have: at least the burst allowed. */
  burst: z.int().nullable(),
  /** Calls in flight at most, for a limit on those. */
  atOnce: z.int().nullable(),
  /** The evidence: how often the limit was met, and by how many refused calls in all. */
  episodes: z.int(),
  refusals: z.int(),
  /** Learned by all processes that share the limit through Redis, so that the evidence is theirs together. */
  together: z.literal(true).optional(),
})
export type InferredLimit = z.infer<typeof inferredLimitSchema>
