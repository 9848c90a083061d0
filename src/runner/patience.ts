// How long nothing but refusals or failures is put up with, and when refusals mean a spent quota.
import type { Observation } from '../pace/observation.ts'

/** What an attempt's end says of the endpoint's willingness. */
export interface Sign {
  readonly observation: Observation
  /** `error.code` of a refusal, where it gave one. */
  readonly code: string | undefined
  /** What the endpoint said, in words. */
  readonly words: string
  /** When the attempt was sent, and now: milliseconds of one clock. */
  readonly sentAt: number
  readonly now: number
}

export type Loss =
  | {
      readonly kind: 'gaveUp'
      readonly over: 'refusals' | 'failures'
      readonly last: string
      readonly afterMs: number
    }
  | {
      readonly kind: 'quotaSpent'
      readonly code: string
      readonly rateLimitCodes: readonly string[]
      readonly last: string
      readonly afterMs: number
    }

export interface Patience {
  /** Nothing tries it: an answer changes nothing. */
  isCalm(): boolean
  /** `excusedMs`, here and below: the limiter's running total of waits that do not count. */
  note(sign: Sign, excusedMs: number): void
  /** What patience was lost over by now, if it was. */
  lostOver(now: number, excusedMs: number): Loss | undefined
  /** Milliseconds until it is worth asking again; undefined while all is well. */
  remainingMs(now: number, excusedMs: number): number | undefined
}

/**
 * A code other than the rate limit's own persists so long before it is taken for a spent quota: longer than the
 * windows of minutes that a second rate limit would have.
 */
const QUOTA_PERSISTS_MS = 5 * 60_000
/** And so many refusals in a row: one may be an accident. */
const FEWEST_REFUSALS = 3

interface Trouble {
  readonly since: number
  readonly excusedMs: number
  over: 'refusals' | 'failures'
  last: string
}

interface Refusals {
  readonly since: number
  readonly excusedMs: number
  readonly codes: Set<string>
  /** The last of them, where all have one code that was never overcome. */
  trail: Trail | undefined
}

interface Trail {
  readonly code: string
  readonly since: number
  readonly excusedMs: number
  count: number
}

/** `known`: codes of refusals that earlier sittings overcame. */
export function createPatience(giveUpAfterMs: number, known: readonly string[] = []): Patience {
  const quotaAfterMs = Math.min(QUOTA_PERSISTS_MS, giveUpAfterMs)
  let trouble: Trouble | undefined
  let refusals: Refusals | undefined
  /** Codes of refusals after which calls were taken again: these mean a rate limit. */
  const overcome = new Set<string>(known)

  const noteRefusal = ({ code, now }: Sign, excusedMs: number): void => {
    refusals ??= { since: now, excusedMs, codes: new Set(), trail: undefined }
    refusals.codes.add(code ?? '')
    const { trail } = refusals
    if (code === undefined || code === '' || overcome.has(code)) refusals.trail = undefined
    else if (trail?.code === code) trail.count += 1
    else refusals.trail = { code, since: now, excusedMs, count: 1 }
  }
  /** Refusals that are no rate limit, as far as codes can tell. */
  const spentTrail = (): Trail | undefined => {
    const trail = refusals?.trail
    return trail === undefined || trail.count < FEWEST_REFUSALS || overcome.size === 0 ? undefined : trail
  }
  const passed = (from: { since: number; excusedMs: number }, now: number, excusedMs: number): number =>
    now - from.since - (excusedMs - from.excusedMs)

  return {
    isCalm: () => trouble === undefined && refusals === undefined,
    note: (sign, excusedMs) => {
      const { observation, sentAt, words } = sign
      if (observation.kind === 'nothing') return
      if (observation.kind === 'accepted') {
        trouble = undefined
        // What was under way when the refusals began was not kept up by them.
        if (refusals === undefined || sentAt <= refusals.since) return
        for (const code of refusals.codes) overcome.add(code)
        refusals = undefined
        return
      }
      const over = observation.kind === 'failed' ? 'failures' : 'refusals'
      trouble ??= { since: sentAt, excusedMs, over, last: words }
      Object.assign(trouble, { over, last: words })
      if (observation.kind === 'rateLimited') noteRefusal(sign, excusedMs)
    },
    lostOver: (now, excusedMs) => {
      const trail = spentTrail()
      const isLost = trouble !== undefined && passed(trouble, now, excusedMs) >= giveUpAfterMs
      // Patience shorter than a quota takes to show ends with what the codes say by then.
      const isTold = isLost && giveUpAfterMs <= QUOTA_PERSISTS_MS
      if (trail !== undefined && (isTold || passed(trail, now, excusedMs) >= quotaAfterMs))
        return {
          kind: 'quotaSpent',
          code: trail.code,
          rateLimitCodes: [...overcome].filter(Boolean),
          last: trouble?.last ?? trail.code,
          afterMs: quotaAfterMs,
        }
      if (trouble === undefined || !isLost) return undefined
      return { kind: 'gaveUp', over: trouble.over, last: trouble.last, afterMs: giveUpAfterMs }
    },
    remainingMs: (now, excusedMs) => {
      if (trouble === undefined) return undefined
      const toGiveUp = giveUpAfterMs - passed(trouble, now, excusedMs)
      const trail = spentTrail()
      const toQuota = trail === undefined ? Infinity : quotaAfterMs - passed(trail, now, excusedMs)
      return Math.max(0, Math.min(toGiveUp, toQuota))
    },
  }
}
