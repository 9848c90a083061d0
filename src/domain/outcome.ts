// How a turn ended. No zod here, not even a type: the page takes it into the browser.

/** Sent, but not answered. An error is never an answer. */
const ERROR_OUTCOMES = [
  'refused',
  'rate_limited',
  'server_error',
  'timeout',
  'network_error',
  'malformed',
] as const

export const OUTCOMES = ['answered', ...ERROR_OUTCOMES, 'skipped'] as const

export type Outcome = (typeof OUTCOMES)[number]
type ErrorOutcome = (typeof ERROR_OUTCOMES)[number]

export const isErrorOutcome = (outcome: Outcome): outcome is ErrorOutcome =>
  outcome !== 'answered' && outcome !== 'skipped'
