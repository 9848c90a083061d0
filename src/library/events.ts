// What a program can watch while a run asks. No event holds the key.
import type { ProgressCounts } from '../cli/progress.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { RunState } from '../domain/summary.ts'

/** `at`: milliseconds since the Unix epoch. New kinds may be added: pass over those you do not know. */
export type RunEvent =
  | StartedEvent
  | AttemptEvent
  | AttemptEndedEvent
  | TurnEvent
  | RestartEvent
  | PaceEvent
  | ProgressEvent
  | MessageEvent
  | EndedEvent

/** The folder is made, and nothing is sent yet. */
export interface StartedEvent {
  readonly kind: 'started'
  readonly at: number
  /** Of the run; what its files are in. */
  readonly folder: string
  readonly runId: string
  /** Turns to be asked, repeats included. */
  readonly turns: number
  readonly threads: number
}

/** A call is about to be sent. */
export interface AttemptEvent {
  readonly kind: 'attempt'
  readonly at: number
  /** From 1, over the whole run. */
  readonly attempt: number
  /** Id of the question. */
  readonly question: string
  /** Which asking of the set, from 1; above `repeat` for a `must_pass` question that is asked again. */
  readonly repeat: number
}

/** What came of a call. */
export interface AttemptEndedEvent {
  readonly kind: 'attemptEnded'
  readonly at: number
  readonly attempt: number
  readonly result: 'reply' | 'malformed' | 'rejection' | 'timeout' | 'network' | 'abandoned'
  readonly httpStatus: number | null
  /** What the limiter and pauses took before it, milliseconds. */
  readonly waitMs: number
  /** Request sent to last byte, milliseconds. */
  readonly latencyMs: number
}

/** How a turn ended. A later `restart` of its thread takes it back. */
export interface TurnEvent {
  readonly kind: 'turn'
  readonly at: number
  /** Id of the question. */
  readonly question: string
  readonly thread: string
  /** Place in the thread, from 1. */
  readonly turn: number
  readonly repeat: number
  readonly message: string
  readonly outcome: Outcome
  /** Null where there is none. */
  readonly answer: string | null
  readonly contextSource: string | null
  readonly status: string | null
  readonly contextLost: boolean
  readonly httpStatus: number | null
  /** Of the last attempt; null where none was sent. */
  readonly latencyMs: number | null
  readonly waitMs: number | null
}

/** A thread starts again in a fresh conversation: what its turns came to does not count. */
export interface RestartEvent {
  readonly kind: 'restart'
  readonly at: number
  /** Id of the thread's first question. */
  readonly question: string
  readonly repeat: number
  readonly cause: string
}

/** The limiter changed its pace, or closed. */
export interface PaceEvent {
  readonly kind: 'pace'
  readonly at: number
  /** Calls a second; null for no limit. */
  readonly pace: number | null
  /** Closed until then; null where it is open. */
  readonly pausedUntil: number | null
  readonly cause: string
}

/** Once a second, and at the end. Turns, but for `attempts` and `rateLimited`. */
export interface ProgressEvent extends ProgressCounts {
  readonly kind: 'progress'
  readonly at: number
}

/** What the program would have said on the screen: a note on a question set, how a resume goes on. */
export interface MessageEvent {
  readonly kind: 'message'
  readonly at: number
  readonly text: string
}

/** The reports are written. The result of `run` says the same, and more. */
export interface EndedEvent {
  readonly kind: 'ended'
  readonly at: number
  readonly folder: string
  readonly state: RunState
  readonly verdict: 'passed' | 'failed' | 'incomplete' | 'part'
  readonly exitCode: number
  readonly reason: string
}
