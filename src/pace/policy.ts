// The pacing policy as arithmetic: when the next call may go. No timer, no I/O; times are milliseconds.
import type { Observation } from './observation.ts'
import type { Rate } from './rate.ts'

/** A closed gate: nothing is sent until then. `named`: the endpoint asked for it, we did not choose it. */
export interface Closure {
  readonly from: number
  readonly until: number
  readonly named: boolean
}

export interface PaceChange {
  /** Calls a second, null for no limit. */
  readonly pace: number | null
  readonly closure: Closure | undefined
  readonly cause: string
}

export interface Policy {
  /** Earliest time for the next call. */
  nextSendAt(): number
  onSend(now: number): void
  /** `sentAt`: when the answered call was sent. Returns what changed, if anything did. */
  onAnswer(now: number, sentAt: number, observation: Observation): PaceChange | undefined
  state(): Omit<PaceChange, 'cause'>
}

/** Known rates keep 1 % below the limit: at exactly the limit a sliding window refuses 1.6 % of calls. */
const MARGIN = 0.99
/** `auto` starts here and doubles while nothing is refused. */
const START_PER_SECOND = 4
const RAMP_SENDS = 5
const RAMP_MS = 700
/** After the first refusal: half of the pace, then 5 % more for every 20 calls taken (additive-increase style). */
const CUT = 0.5
const REGROW_CALLS = 20
const REGROW = 1.05
/** Backoff of the whole organization: full jitter over a doubling ceiling (AWS Architecture Blog, 2015). */
const BACKOFF_BASE_MS = 1000
const BACKOFF_CAP_MS = 60_000
/** This many ambiguous failures in a row, of any thread, close the gate; a missing connection does at once. */
const FAILURES_TO_CLOSE = 3

export function createPolicy(rate: Rate, random: () => number): Policy {
  let pace =
    rate.kind === 'unlimited' ? null : rate.kind === 'auto' ? START_PER_SECOND : rate.perSecond * MARGIN
  let ramping = rate.kind === 'auto'
  let taken = 0
  let rampedAt = -Infinity
  let nextAt = -Infinity
  let closure: Closure | undefined
  let episode = 0
  let failures = 0

  const close = (now: number, ms: number, named: boolean): void => {
    if (closure !== undefined && closure.until >= now + ms) return
    closure = { from: now, until: now + ms, named }
  }
  const backoff = (round: number): number => random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** round)
  const changed = (cause: string): PaceChange => ({ pace, closure, cause })

  const onAccepted = (now: number): PaceChange | undefined => {
    const wasClosed = episode > 0 || failures >= FAILURES_TO_CLOSE
    episode = 0
    failures = 0
    taken += 1
    if (wasClosed) return changed('calls are taken again')
    if (rate.kind !== 'auto' || pace === null) return undefined
    if (ramping && taken >= RAMP_SENDS && now - rampedAt >= RAMP_MS) {
      pace *= 2
      taken = 0
      rampedAt = now
      return changed('nothing refused: doubled')
    }
    if (!ramping && taken >= REGROW_CALLS) {
      pace *= REGROW
      taken = 0
      return changed(`${REGROW_CALLS} calls taken: a little faster`)
    }
    return undefined
  }

  const onRateLimited = (
    now: number,
    sentAt: number,
    namedMs: number | undefined,
  ): PaceChange | undefined => {
    // Calls that were under way when the gate closed tell nothing new; they can only extend a named wait.
    const sameEpisode = closure !== undefined && sentAt <= closure.from
    if (sameEpisode && namedMs === undefined) return undefined
    if (!sameEpisode) {
      episode += 1
      ramping = false
      taken = 0
      if (rate.kind === 'auto' && pace !== null && episode === 1) pace *= CUT
    }
    const slot = pace === null ? 0 : 1000 / pace
    if (namedMs === undefined || namedMs === 0) close(now, Math.max(slot, backoff(episode)), false)
    else close(now, namedMs, true)
    return changed(namedMs === undefined ? '429' : `429, Retry-After ${Math.ceil(namedMs / 1000)} s`)
  }

  const onFailed = (now: number, reached: boolean, cause: string): PaceChange | undefined => {
    failures = reached ? failures + 1 : Math.max(failures + 1, FAILURES_TO_CLOSE)
    if (failures < FAILURES_TO_CLOSE || (closure !== undefined && closure.until > now)) return undefined
    close(now, BACKOFF_BASE_MS / 4 + backoff(failures - FAILURES_TO_CLOSE), false)
    return changed(reached ? `${failures} failures in a row, last ${cause}` : `no connection: ${cause}`)
  }

  return {
    nextSendAt: () => Math.max(nextAt, closure?.until ?? -Infinity),
    onSend: (now) => {
      if (pace !== null) nextAt = Math.max(nextAt, now) + 1000 / pace
    },
    onAnswer: (now, sentAt, observation) => {
      switch (observation.kind) {
        case 'accepted':
          return onAccepted(now)
        case 'rateLimited':
          return onRateLimited(now, sentAt, observation.namedMs)
        case 'failed':
          return onFailed(now, observation.reached, observation.cause)
        case 'nothing':
          return undefined
      }
    },
    state: () => ({ pace, closure }),
  }
}
