// How long answers took, as a report draws it: counts by duration, and the longest ones by name.

/** Service time in milliseconds; `from` belongs to the bin, `to` to the next one. */
export interface LatencyBin {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Bins without gaps, shortest first; empty for no samples. */
export type LatencyHistogram = readonly LatencyBin[]

export interface SlowTurn {
  readonly id: string
  readonly message: string
  readonly latencyMs: number
}
