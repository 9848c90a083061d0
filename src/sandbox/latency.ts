// Simulated latency, drawn from the seed, and the durations of the config file.
import * as z from 'zod'
import { DURATION, parseDuration } from '../domain/format.ts'

const UNIT_MISSING = 'must be a duration with its unit, such as 500ms, 30s, 2m or 1h'

export const durationSchema = z
  .string({ error: UNIT_MISSING })
  .trim()
  .regex(DURATION, UNIT_MISSING)
  .transform((text) => parseDuration(text) ?? 0)

export const periodSchema = durationSchema.refine((ms) => ms > 0, 'must be longer than 0')

export const latencyConfigSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('constant'), delay: durationSchema }),
  z.strictObject({ kind: z.literal('uniform'), from: durationSchema, to: durationSchema }),
  z
    .strictObject({ kind: z.literal('lognormal'), median: durationSchema, p95: durationSchema })
    .refine((model) => model.median > 0 && model.median <= model.p95, {
      message: 'median must be longer than 0 and not longer than p95',
    }),
])
export type LatencyModel = z.output<typeof latencyConfigSchema>

/** Is the 95th percentile of the standard normal distribution. */
const NORMAL_P95 = 1.6448536269514722

export function drawLatency(model: LatencyModel, draw: Draw, index: number): number {
  switch (model.kind) {
    case 'constant':
      return model.delay
    case 'uniform':
      return model.from + (model.to - model.from) * draw('latency', index)
    case 'lognormal': {
      const sigma = Math.log(model.p95 / model.median) / NORMAL_P95
      return model.median * Math.exp(sigma * normalDraw(draw, 'latency', index))
    }
  }
}

/** Draws, uniform in [0, 1), from purpose and index alone: concurrent calls do not affect each other. */
export type Draw = (purpose: string, index: number) => number

export function seededDraw(seed: number): Draw {
  const start = mix(seed | 0)
  return (purpose, index) => mix(mix(start ^ hashText(purpose)) + Math.imul(index | 0, 0x9e3779b1)) / 2 ** 32
}

/** Draws a standard normal deviate (Box and Muller, 1958). */
function normalDraw(draw: Draw, purpose: string, index: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draw(`${purpose}:radius`, index)))
  return radius * Math.cos(2 * Math.PI * draw(`${purpose}:angle`, index))
}

/** Is the finalizer of MurmurHash3 (Appleby, public domain): each input bit affects every output bit. */
function mix(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Is FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (const unit of text) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
