// What a gate came to, as `summary.json` holds it.
import * as z from 'zod'
import { messageSchema } from './messages.ts'

export const thresholdResultSchema = z.object({
  /** As it was written, such as `coverage>=80%`. */
  expression: z.string(),
  metric: z.string(),
  tag: z.string().optional(),
  /** In the metric's unit; null where nothing counts toward it: such a threshold fails. */
  value: z.number().nullable(),
  passed: z.boolean(),
  reason: messageSchema,
})
export type ThresholdResult = z.infer<typeof thresholdResultSchema>

/** A `must_pass` question that has not passed. */
export const mustPassResultSchema = z.object({
  id: z.string(),
  /** What was wrong with the first answer that failed. */
  reason: z.string(),
  /** Whether an answer failed its expectations; else the question was not answered, or without its context. */
  graded: z.boolean(),
})
export type MustPassResult = z.infer<typeof mustPassResultSchema>

/** A gate of the run: a threshold, a rule about turns, or a rule of the comparison with the baseline. */
export const gateOutcomeSchema = z.object({ name: z.string(), passed: z.boolean(), reason: messageSchema })
export type GateOutcome = z.infer<typeof gateOutcomeSchema>

export const PASS_POLICIES = ['all', 'majority', 'any'] as const

/** When a question that was asked several times has passed. */
export type PassPolicy = (typeof PASS_POLICIES)[number]
