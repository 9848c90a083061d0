// A load test at a moment: what the live view shows.

/** Calls that were refused, and wait for the limiter's leave. */
export interface CallsToAskAgain {
  readonly calls: number
  /** None of them goes before, milliseconds since the epoch; undefined while some of them go. */
  readonly pausedUntil: number | undefined
}

export interface LoadSnapshot {
  readonly elapsedMs: number
  readonly plannedMs: number
  readonly isWarmUp: boolean
  /** Threads a second that the timetable has now; null after it, and where users loop. */
  readonly offeredRate: number | null
  /** Of the last seconds: threads started, calls ended; a second. */
  readonly threadRate: number | null
  readonly callRate: number | null
  readonly inFlight: number
  readonly waiting: number | null
  /** Absent where none waits. */
  readonly toAskAgain?: CallsToAskAgain
  /** Response times of the last seconds, milliseconds. */
  readonly p50: number | null
  readonly p95: number | null
  /** Since the start: calls that ended, of them 429s; threads dropped; turns answered and failed. */
  readonly calls: number
  readonly refused: number
  readonly dropped: number
  readonly answered: number
  readonly errors: number
  /** Of the answers with their context. */
  readonly coverage: number | null
}
