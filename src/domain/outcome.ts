// How a turn ended. An error is never an answer. No schema stands here: the page takes it into the browser.
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

export type Outcome = (typeof OUTCOMES)[number]
export type ErrorOutcome = (typeof ERROR_OUTCOMES)[number]

export const isErrorOutcome = (outcome: Outcome): outcome is ErrorOutcome =>
  outcome !== 'answered' && outcome !== 'skipped'
