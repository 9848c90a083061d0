// What a load test offers: when threads arrive, how long people think between turns.
import * as z from 'zod'

/** The rate of arrivals, threads a second, goes from one to the other in a straight line, as k6's ramping stages do. */
export const stageSchema = z.object({
  durationMs: z.number().positive(),
  from: z.number().nonnegative(),
  to: z.number().nonnegative(),
})
export type Stage = z.infer<typeof stageSchema>

/** Between an answer and the thread's next turn; milliseconds. */
export const thinkTimeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('constant'), ms: z.number().nonnegative() }),
  z.object({ kind: z.literal('uniform'), fromMs: z.number().nonnegative(), toMs: z.number().nonnegative() }),
  z.object({ kind: z.literal('lognormal'), medianMs: z.number().positive(), p95Ms: z.number().positive() }),
])
export type ThinkTime = z.infer<typeof thinkTimeSchema>

/** `open`: threads arrive by a timetable, whatever the answers do. `closed`: so many users, each in a loop. */
export const loadModelSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    stages: z.array(stageSchema).min(1),
    arrivals: z.enum(['constant', 'poisson']),
  }),
  z.object({ kind: z.literal('closed'), users: z.int().positive(), durationMs: z.number().positive() }),
])
export type LoadModel = z.infer<typeof loadModelSchema>

export const loadOptionsSchema = z.object({
  model: loadModelSchema,
  thinkTime: thinkTimeSchema,
  /** Decides arrivals and thinking; one seed, one timetable. */
  seed: z.int(),
  /** Calls in flight at most: a thread that is due without room is dropped; a continuing turn waits and goes first. */
  maxInFlight: z.int().positive(),
  /** How long threads may go on after the last arrival. */
  gracefulStopMs: z.number().nonnegative(),
})
export type LoadOptions = z.infer<typeof loadOptionsSchema>
