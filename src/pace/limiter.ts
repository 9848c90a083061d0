// The limiter of an organization, as its users see it.
import type { Observation } from './observation.ts'
import type { PaceChange } from './policy.ts'

/** Leave to send one call, now. Must be settled, once, whatever becomes of the call. */
export interface Permit {
  readonly grantedAt: number
  settle(observation: Observation): void
}

export interface Limiter {
  /** Waits for leave to send; undefined once `signal` is aborted. */
  acquire(signal: AbortSignal): Promise<Permit | undefined>
  /**
   * The same without a promise, where the limiter can: `start` gets the leave, at once where it is there, or undefined
   * once the limiter is closed. Returns the function that gives it up.
   */
  request?(start: (permit: Permit | undefined) => void): () => void
  /** Told of every change of pace or pause; returns the function that ends it. */
  onChange(listener: (change: PaceChange) => void): () => void
  state(): LimiterState
  /** Aborted where the run is to end because the limit is shared no more; the reason is a sentence. */
  readonly lost?: AbortSignal | undefined
  /** Drops what waits and leaves no timer. */
  close(): void
}

export interface LimiterState extends Omit<PaceChange, 'cause'> {
  readonly inFlight: number
}
