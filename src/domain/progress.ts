// How far a run or a load test is, for those who watch it.

/** Turns are those of this session. A restarted thread's turns count as open again. */
export interface RunProgress {
  readonly of: 'run'
  readonly total: number
  readonly done: number
  readonly answered: number
  readonly grounded: number
  readonly errors: number
  readonly attempts: number
  readonly rateLimited: number
  /** Calls of this session count that have ended, whatever their result. */
  readonly ended: number
  readonly inFlight: number
  /** The oldest call in flight was sent then, in milliseconds since the epoch; null without one. */
  readonly oldestAt: number | null
  /** The pace allows the next call then, in milliseconds since the epoch; absent if it does now. */
  readonly nextAt?: number
}

export interface LoadSnapshot {
  readonly elapsedMs: number
  readonly plannedMs: number
  readonly inFlight: number
  readonly calls: number
  readonly refused: number
  readonly callRate: number | null
  /** The unit is threads. */
  readonly dropped: number
  /** The unit is turns. */
  readonly answered: number
  readonly errors: number
  readonly coverage: number | null
}
