// How the machine that asks fared in a load test, and whether it was the limit instead of the endpoint.
import * as z from 'zod'

const ms = z.number().nullable()

export const generatorHealthSchema = z.object({
  /** Records of it: one a second. */
  seconds: z.int(),
  /** How late calls left; that of `sendLagMs.p99`. */
  sendLagP99Ms: ms,
  /** Delay of the event loop: the median of the seconds' 99th percentiles, and the longest. */
  loopDelayP99Ms: ms,
  loopDelayMaxMs: ms,
  /** Processor time in cores: of this process and of all others, mean and most; null where it is not known. */
  cpu: z.object({ mean: z.number(), max: z.number() }).nullable(),
  foreignCpu: z.object({ mean: z.number(), max: z.number() }).nullable(),
  cores: z.int().nullable(),
  /** Whether the figures say more of this machine than of the endpoint, and why, a sentence each. */
  limited: z.boolean(),
  reasons: z.array(z.string()),
})
export type GeneratorHealth = z.infer<typeof generatorHealthSchema>
