// The log of calls sent and not refused: what the limit's capacity is measured from.

/** Entries kept: enough for an hour at 30 calls a second, the longest window that matters. */
const MOST = 120_000

/** Among so many is the one that was really sent first, however late they were. */
const EARLY = 32

export interface Admissions {
  /** Notes a call; returns the handle by which it can be taken back. */
  add(at: number): number
  /** The call was admitted, and had really been sent so much later than it might have been. Milliseconds. */
  wasLate(handle: number, ms: number): void
  /** The call was refused. A call that is not is taken as admitted: refusals come quickly, silence is admission. */
  refuse(handle: number): void
  /** Calls admitted from `from` to `to`, both included. */
  count(from: number, to: number): number
  /** When the first call of all might be sent. */
  readonly firstAt: number | undefined
  /** When one was first really sent, as far as is known: a window that calls open began then. */
  readonly begunAt: number | undefined
  /** When the `calls`-th last call was sent; undefined where there are fewer. */
  since(calls: number): number | undefined
}

export function createAdmissions(): Admissions {
  const times: number[] = []
  const refused: boolean[] = []
  let forgotten = 0
  let firstAt: number | undefined
  /** When the first of all were sent; until an answer tells it, when they might be. */
  const early: number[] = []

  return {
    add: (at) => {
      firstAt ??= at
      if (early.length < EARLY) early.push(at)
      if (times.length >= MOST) {
        times.splice(0, MOST / 2)
        refused.splice(0, MOST / 2)
        forgotten += MOST / 2
      }
      refused.push(false)
      return times.push(at) - 1 + forgotten
    },
    wasLate: (handle, ms) => {
      const at = early[handle]
      if (at !== undefined) early[handle] = at + ms
    },
    refuse: (handle) => {
      if (handle >= forgotten) refused[handle - forgotten] = true
    },
    count: (from, to) => {
      let count = 0
      for (let place = times.length - 1; place >= 0; place -= 1) {
        const at = times[place] ?? 0
        if (at < from) break
        if (at <= to && refused[place] !== true) count += 1
      }
      return count
    },
    get firstAt() {
      return firstAt
    },
    get begunAt() {
      return early.length === 0 ? undefined : Math.min(...early)
    },
    since: (calls) => times[times.length - calls],
  }
}
