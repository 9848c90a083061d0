// After a refusal: how many of the calls that wait go at once, round by round, as more and more are let through.
import { silenceMs } from './episode.ts'

/** Calls of a first round: TCP's initial window is of two segments at least (RFC 5681, 3.1). */
const FIRST_ROUND = 2
/** A round near the number at which the last refusal came is this part of it: so much may be refused once more. */
const NEAR_PART = 1 / 8
/** What a refusal takes, by the latest of them. */
const SMOOTHING = 0.2

export interface SlowStart {
  /** When one more may go, now at the earliest; never Infinity, as silence speaks for a call in the end. */
  nextAt(now: number): number
  /** Returns the call's handle: its round, from 1. Calls that did not ask when they may go have 0. */
  onSend(now: number): number
  /** Whatever came, it was no refusal. */
  onEnd(handle: number): void
  /** `tookMs`: from when the call was sent. */
  onRefusal(handle: number, tookMs: number): void
  /** The gate has closed: once it opens, the first round is small again. */
  restart(): void
}

/**
 * A round goes once no call of the one before can be refused any more. Rounds double, as in TCP's slow start (RFC 5681, 3.1);
 * towards the number at which the last refusal came they grow smaller, and beyond it larger again, as CUBIC's steps do around
 * its last maximum (RFC 9438, 4.1).
 */
export function createSlowStart(): SlowStart {
  /** Sent since the gate opened, and not refused so far. */
  let letThrough = 0
  /** Likewise while it was open the last time, and the last time that anything was let through before that. */
  let [lastTime, earlier] = [0, 0]
  let refusalMs: number | undefined
  let round = newRound(1)
  let firstRound = 1

  const nextSize = (): number => {
    const doubled = FIRST_ROUND + letThrough
    // Where the gate opened in vain, that says nothing of how many it lets through.
    const expected = lastTime > 0 ? lastTime : earlier
    if (expected === 0) return doubled
    const near = Math.max(1, expected * NEAR_PART)
    const left = expected - letThrough
    return Math.floor(left > 0 ? Math.min(doubled, Math.max(near, left / 2)) : near - left)
  }

  return {
    nextAt: (now) => {
      // No sooner: refusals of calls that were under way when the gate closed have come by now.
      round.size ??= nextSize()
      if (round.sent < round.size) return now
      // What passes meanwhile may be lost: the shorter of the silences.
      const heardAt = round.ended === round.sent ? now : round.lastSentAt + silenceMs(refusalMs ?? 0, true)
      if (heardAt > now) return heardAt
      round = { ...newRound(round.number + 1), size: nextSize() }
      return now
    },
    onSend: (now) => {
      round.sent += 1
      round.lastSentAt = now
      letThrough += 1
      return round.number
    },
    onEnd: (handle) => {
      if (handle === round.number) round.ended += 1
    },
    onRefusal: (handle, tookMs) => {
      refusalMs = (1 - SMOOTHING) * (refusalMs ?? tookMs) + SMOOTHING * tookMs
      if (handle >= firstRound) letThrough -= 1
      else if (handle > 0) lastTime -= 1
    },
    restart: () => {
      if (lastTime > 0) earlier = lastTime
      lastTime = letThrough
      letThrough = 0
      firstRound = round.number + 1
      round = newRound(firstRound)
    },
  }
}

interface Round {
  readonly number: number
  /** Undefined until its first call is to go. */
  size: number | undefined
  sent: number
  /** Of those sent: answered, and not refused. */
  ended: number
  lastSentAt: number
}

const newRound = (number: number): Round => ({ number, size: undefined, sent: 0, ended: 0, lastSentAt: 0 })
