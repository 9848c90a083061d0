// How a turn ended. An error is never an answer.
import * as z from 'zod'

/** Outcomes of a turn that was asked and got no answer. */
export const ERROR_OUTCOMES = [
  'refused',
  'rate_limited',
  'server_error',
  'timeout',
  'network_error',
  'malformed',
] as const

export const OUTCOMES = ['answered', ...ERROR_OUTCOMES, 'skipped'] as const

export const outcomeSchema = z.enum(OUTCOMES)
export type Outcome = z.infer<typeof outcomeSchema>
export type ErrorOutcome = (typeof ERROR_OUTCOMES)[number]

export const isErrorOutcome = (outcome: Outcome): outcome is ErrorOutcome =>
  outcome !== 'answered' && outcome !== 'skipped'
