// Leave to send by callback, of any limiter.
import type { Limiter, Permit } from './limiter.ts'

/** `start` gets the leave, at once where the limiter can, or undefined once it is closed. Returns the function that gives it up. */
export function requestLeave(limiter: Limiter, start: (permit: Permit | undefined) => void): () => void {
  if (limiter.request !== undefined) return limiter.request(start)
  const over = new AbortController()
  void limiter.acquire(over.signal).then((permit) => {
    // Given up too late for the limiter to notice: it must have its leave back.
    if (over.signal.aborted) permit?.settle({ kind: 'nothing' })
    else start(permit)
  })
  return () => over.abort()
}
