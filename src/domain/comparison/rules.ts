// What a comparison can fail on, and what one with the baseline came to.
import * as z from 'zod'

export const GATE_RULES = [
  'must-pass',
  'grounding',
  'verdicts',
  'newly-failing',
  'availability',
  'latency',
  'quota',
] as const
export type GateRule = (typeof GATE_RULES)[number]

/** What the comparison with the baseline came to, as `summary.json` holds it. */
export const baselineResultSchema = z.object({
  /** How reports call the baseline. */
  baseline: z.string(),
  verdict: z.enum(['passed', 'failed']),
  reason: z.string(),
})
export type BaselineResult = z.infer<typeof baselineResultSchema>
