// How far a run or a load test is, for those who watch it.

/** Turns of this session, except calls. A restarted thread's turns count as open again. */
export interface RunProgress {
  readonly of: 'run'
  readonly total: number
  readonly done: number
  readonly answered: number
  readonly grounded: number
  readonly errors: number
  readonly attempts: number
  readonly rateLimited: number
  /** Calls of this session that have ended, whatever their result. */
  readonly ended: number
  readonly inFlight: number
  /** When the oldest call in flight was sent, in milliseconds since the epoch; null without one. */
  readonly oldestAt: number | null
  /** When the pace allows the next call, in milliseconds since the epoch; absent if it does now. */
  readonly nextAt?: number
}

export interface LoadSnapshot {
  readonly elapsedMs: number
  readonly plannedMs: number
  readonly inFlight: number
  /** Ended so far, and those of them that got 429. */
  readonly calls: number
  readonly refused: number
  /** Calls ended a second, lately; null at first. */
  readonly callRate: number | null
  /** Threads. */
  readonly dropped: number
  /** Turns. */
  readonly answered: number
  readonly errors: number
  /** Share of the answers that are grounded; null without one. */
  readonly coverage: number | null
}
