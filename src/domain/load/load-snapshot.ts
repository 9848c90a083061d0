// A load test at a moment: what the live view shows.

export interface LoadSnapshot {
  readonly elapsedMs: number
  readonly plannedMs: number
  /** Threads a second that the timetable has now; null after it, and where users loop. */
  readonly offeredRate: number | null
  /** Of the last seconds: threads started, calls ended; a second. */
  readonly threadRate: number | null
  readonly callRate: number | null
  readonly inFlight: number
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
