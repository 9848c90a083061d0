// Calls counted over time: how many ended when, and how many of them the rate limit refused.
import * as z from 'zod'

/** Counts of consecutive bins of `binMs` milliseconds, the first one beginning at `from`; all three lists are as long. */
export const callsOverTimeSchema = z.object({
  from: z.string(),
  binMs: z.number().positive(),
  /** The endpoint took the call: any status but 429, an error among them. */
  taken: z.array(z.int()),
  /** 429. */
  refused: z.array(z.int()),
  /** No status came: never connected, timed out, cut off. */
  failed: z.array(z.int()),
})
export type CallsOverTime = z.infer<typeof callsOverTimeSchema>
