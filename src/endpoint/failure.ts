// A network failure in words and as a code.

/** The code of the failure or of its cause: `ECONNREFUSED`, `UND_ERR_SOCKET`; `UNKNOWN` where there is none. */
export function failureCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? failureCode(error.cause) : 'UNKNOWN'
}

/** Node's error for a host with several addresses has no message of its own: its parts do. */
export function describeFailure(error: Error): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return [...new Set(error.errors.map((part: Error) => part.message))].join('; ')
  return error.message === '' ? failureCode(error) : error.message
}
