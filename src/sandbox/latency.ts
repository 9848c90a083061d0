// How long an answer takes: constant, uniform or lognormal, and longer for longer answers.
import * as z from 'zod'
import { delaySchema } from './duration.ts'
import { normalDraw, type Draw } from './random.ts'

/** Added for each word of the answer, as a model that writes word by word would. */
const perWord = delaySchema.optional()

export const latencySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('constant'), delay: delaySchema, perWord }),
  z
    .strictObject({ kind: z.literal('uniform'), from: delaySchema, to: delaySchema, perWord })
    .refine((model) => model.from <= model.to, 'from must not be longer than to'),
  z
    .strictObject({ kind: z.literal('lognormal'), median: delaySchema, p95: delaySchema, perWord })
    .refine((model) => model.median > 0 && model.median <= model.p95, {
      message: 'median must be longer than 0 and not longer than p95',
    }),
])
export type LatencyModel = z.output<typeof latencySchema>

/** 95 % of a standard normal variable lie below this. */
const NORMAL_P95 = 1.6448536269514722

/** Milliseconds that call number `index` takes. */
export function latencyOf(model: LatencyModel, words: number, draw: Draw, index: number): number {
  return basicLatency(model, draw, index) + (model.perWord ?? 0) * words
}

function basicLatency(model: LatencyModel, draw: Draw, index: number): number {
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
