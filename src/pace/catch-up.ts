// Makes good the time in which a probe was out and a window that had just turned stood empty: call by call, never in a burst.

/** Each call may come so much of a slot sooner. */
const SOONER = 0.2
/** What would take longer is let go. */
const MOST_MS = 400

export interface CatchUp {
  /** So many milliseconds are to be made good, instead of what is still left. */
  owe(ms: number): void
  /** Milliseconds by which the next call may come sooner than a slot after the one before. */
  take(slotMs: number): number
}

export function createCatchUp(): CatchUp {
  let owed = 0
  return {
    owe: (ms) => {
      owed = Math.min(MOST_MS, Math.max(0, ms))
    },
    take: (slotMs) => {
      const taken = Math.min(owed, SOONER * slotMs)
      owed -= taken
      return taken
    },
  }
}
