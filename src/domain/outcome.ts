// How a turn ended. No zod here, not even a type: the page takes it into the browser.

export const OUTCOMES = [
  'answered',
  'refused',
  'rate_limited',
  'server_error',
  'timeout',
  'network_error',
  'malformed',
  'skipped',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Sent, but not answered. An error is never an answer. */
export const isErrorOutcome = (outcome: Outcome): boolean => outcome !== 'answered' && outcome !== 'skipped'
