// What a comparison can fail on, and what a run remembers of the baseline it is compared with at its end.
import * as z from 'zod'

export const GATE_RULES = ['must-pass', 'grounding', 'verdicts', 'availability', 'latency', 'quota'] as const
export type GateRule = (typeof GATE_RULES)[number]

export const baselineOptionsSchema = z.object({
  /** The way to it from the run folder, with `/`. */
  baseline: z.string(),
  /** Null for the default rules. */
  failOn: z.array(z.enum(GATE_RULES)).nullable(),
  /** Of the whole gate: shared by its tests. */
  alpha: z.number(),
  /** A share; a loss must be larger to fail the gate. */
  margin: z.number(),
  /** Share of the questions that must be in both runs. */
  minOverlap: z.number(),
})
export type BaselineOptions = z.infer<typeof baselineOptionsSchema>

/** What the comparison with the baseline came to, as `summary.json` holds it. */
export const baselineResultSchema = z.object({
  /** How reports call the baseline. */
  baseline: z.string(),
  verdict: z.enum(['passed', 'failed']),
  reason: z.string(),
})
export type BaselineResult = z.infer<typeof baselineResultSchema>
