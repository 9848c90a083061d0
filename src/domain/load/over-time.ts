// A load test over time, in as many bins as a chart shows.
import * as z from 'zod'

const ms = z.number().nullable()
const counts = z.record(z.string(), z.int())
const percentilesSchema = z.object({ p50: ms, p95: ms })

/** What fell due in the bin, whenever it ended; `calls`, `answers` and `inFlight` are of the time itself. */
export const loadBinSchema = z.object({
  /** Threads due, and of them those sent and those dropped. */
  offered: z.int(),
  started: z.int(),
  dropped: z.int(),
  /** Turns due, the first ones of dropped threads among them; null in reports of before they were counted. */
  turnsDue: z.int().nullable().default(null),
  /** Turns answered in the bin's time, whenever they were due; null as above. */
  answers: z.int().nullable().default(null),
  /** Calls that ended in the bin's time. */
  calls: z.int(),
  /** Calls in flight at most. */
  inFlight: z.int(),
  answered: z.int(),
  /** Of those: with their context, and of these from the knowledge base. */
  withContext: z.int(),
  grounded: z.int(),
  /** Calls refused with 429, and turns that failed otherwise. */
  refused: z.int(),
  errors: z.int(),
  serviceMs: percentilesSchema,
  responseMs: percentilesSchema,
  contextSource: counts,
  status: counts,
  /** Turns by how they ended; those that were skipped are not among them. */
  outcomes: counts,
})
export type LoadBin = z.infer<typeof loadBinSchema>

/** Consecutive bins of `binMs` milliseconds, the first one beginning at `from`. */
export const overTimeSchema = z.object({
  from: z.string(),
  binMs: z.number().positive(),
  bins: z.array(loadBinSchema),
})
export type OverTime = z.infer<typeof overTimeSchema>
