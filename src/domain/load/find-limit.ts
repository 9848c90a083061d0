// `load --find-limit`: what the search for an organization's limit may use.
import * as z from 'zod'

export const findLimitOptionsSchema = z.object({
  /** Calls at most, refused ones included. */
  budget: z.int().positive(),
  /** Milliseconds after which nothing more is sent. */
  maxMs: z.number().positive(),
  maxInFlight: z.int().positive(),
  /** Calls a second, not even in a burst more. */
  maxPerSecond: z.number().positive(),
  /** How long the search watches for a second limit behind the one it has found, milliseconds from its start. */
  watchMs: z.number().positive(),
})
export type FindLimitSettings = z.infer<typeof findLimitOptionsSchema>
