// What a pacing policy is: when the next call may go, told of what was sent and what came. No timer, no I/O.
import type { InferredLimit } from '../domain/limit.ts'
import type { Learned } from './learned.ts'
import type { Observation } from './observation.ts'

/** A closed gate: nothing is sent until then. */
export interface Closure {
  readonly from: number
  readonly until: number
}

export interface PaceChange {
  /** Calls a second, null for no limit. */
  readonly pace: number | null
  readonly closure: Closure | undefined
  readonly cause: string
  /** What is known of the limit by now; undefined while it has not been met. */
  readonly limit?: InferredLimit | undefined
  /** How many processes share the limit through Redis, where they do. */
  readonly processes?: number | undefined
}

/** A call as the policy remembers it until its answer comes. */
export interface Sending {
  readonly at: number
  /** Calls in flight with this one. */
  readonly inFlight: number
  /** Calls sent before a refusal belong to its epoch; refusals of an older epoch say nothing new. */
  readonly epoch: number
  readonly handle: number
}

/** Times are milliseconds of one monotonic clock, but for what `Observation` says. */
export interface Policy {
  /** Earliest time for the next call; Infinity while it must wait for an answer. */
  nextSendAt(now: number, inFlight: number): number
  /** `inFlight` counts the call itself. */
  onSend(now: number, inFlight: number): Sending
  /** Returns what changed, if anything worth telling did. */
  onAnswer(now: number, sending: Sending, observation: Observation): PaceChange | undefined
  state(): Omit<PaceChange, 'cause'>
  /** For a policy that goes on from it; absent where nothing is learned. */
  learned?(now: number): Learned | undefined
}
