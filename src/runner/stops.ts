// Reasons for a session to stop: an error, an interruption, --give-up-after, or a login page.
import {
  describeError,
  isMisdirected,
  isUnreadable,
  lackOf,
  statusOf,
  type AttemptResult,
} from '../domain/attempt.ts'
import type { Stop } from '../domain/stop.ts'
import { StorageError } from '../domain/storage-error.ts'
import { cut } from '../domain/text.ts'
import type { Observation } from '../pace/observation.ts'
import type { ThreadState } from './thread-state.ts'

export function interruption({ reason }: AbortSignal): Stop {
  const isKnown = reason === 'SIGTERM' || reason === 'SIGHUP' || reason === 'caller'
  return { kind: 'interrupted', signal: isKnown ? reason : 'SIGINT' }
}

export function stopOfError(error: unknown): Stop {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: error instanceof StorageError ? 'storage' : 'fault', message }
}

/** A failed attempt in words, with its code and message: of the endpoint, or why there is no connection. */
export function describeAttempt(observation: Observation, result: AttemptResult): string {
  if (result.kind === 'network' && !result.sent) {
    const { code: why, message: words } = result
    return (words.includes(why) ? words : `${why}: ${words}`).slice(0, 300)
  }
  if (result.kind !== 'rejection') return observation.kind === 'failed' ? observation.cause : result.kind
  const { code, message } = result.error
  return [String(result.httpStatus), ...(code === undefined ? [] : [code]), message].join(' ').slice(0, 300)
}

/** What there was nothing but. */
export function overOf(observation: Observation, result: AttemptResult): GaveUp['over'] {
  if (observation.kind === 'rateLimited') return 'refusals'
  return lackOf(result) === undefined ? 'failures' : 'machine'
}

type GaveUp = Extract<Stop, { kind: 'gaveUp' }>

export type Patience = ReturnType<typeof createPatience>

/**
 * This many answers in a row that HTTP cannot read are no accident: each is billed, and the next is no
 * better.
 */
const MAX_UNREADABLE = 3
/** Patience before the first answer of a session: a wrong host name, certificate or quota is said soon. */
const FIRST_MS = 60_000
/** A probe as a window of a minute turns, or after a wait of a minute, is sent and has its answer. */
const FIRST_SPARE_MS = 2000
/** Patience with 429s of one `error.code` after which no turn was ever answered: a used-up quota. */
const QUOTA_MS = 180_000
/** It counts from the end of a longer wait that the endpoint names: a window may turn then. */
const MAX_COUNTED_WAIT_MS = 60_000

/**
 * Patience ends after `giveUpAfterMs` without an answer, and at once if the endpoint names a longer wait or
 * no answer can be read. Times are milliseconds of one clock.
 */
export function createPatience(giveUpAfterMs: number) {
  /** `since`: its first call, or the end of a named wait. `endsAt`: by `giveUpAfterMs`. */
  let trouble: { since: number; endsAt: number; stopAt: number; stop: GaveUp } | undefined
  let unreadable = 0
  let isFirst = giveUpAfterMs > FIRST_MS
  /** The `error.code` of each thread's last 429, and those after which a turn was answered. */
  const codes = new WeakMap<ThreadState, string>()
  const passing = new Set<string | undefined>()

  return {
    /** `thread`: that of the attempt, if a turn is sent again after a 429. */
    note: (
      observation: Observation,
      result: AttemptResult,
      sentAt: number,
      now: number,
      thread?: ThreadState,
    ): void => {
      if (observation.kind === 'nothing') return
      unreadable = isUnreadable(result) ? unreadable + 1 : 0
      if (observation.kind === 'accepted') {
        trouble = undefined
        isFirst = false
        if (thread !== undefined && result.kind === 'reply') passing.add(codes.get(thread))
        return
      }
      if (unreadable >= MAX_UNREADABLE) {
        const last = describeError(result) ?? result.kind
        const stop: GaveUp = { kind: 'gaveUp', over: 'unreadable', last, afterMs: giveUpAfterMs }
        trouble = { since: now, endsAt: now, stopAt: now, stop }
        return
      }
      const endsAt = trouble?.endsAt ?? sentAt + (isFirst ? FIRST_MS + FIRST_SPARE_MS : giveUpAfterMs)
      const over = overOf(observation, result)
      const namedMs = namedWait(observation)
      const isTooLong = namedMs > 0 && now + namedMs > endsAt
      const code = observation.kind === 'rateLimited' ? observation.code : undefined
      const isSameCode = code !== undefined && (trouble === undefined || trouble.stop.code === code)
      if (code !== undefined && thread !== undefined) codes.set(thread, code)
      const isLongWait = namedMs > MAX_COUNTED_WAIT_MS
      const since = Math.max(trouble?.since ?? sentAt, isLongWait ? now + namedMs : -Infinity)
      const isQuota = isSameCode && thread !== undefined && !passing.has(code)
      const quotaEndsAt = isQuota ? since + QUOTA_MS : Infinity
      trouble = {
        since,
        endsAt,
        stopAt: isTooLong ? now : Math.min(endsAt, quotaEndsAt),
        stop: {
          kind: 'gaveUp',
          over,
          last: describeAttempt(observation, result),
          afterMs: !isTooLong && quotaEndsAt < endsAt ? QUOTA_MS : isFirst ? FIRST_MS : giveUpAfterMs,
          ...(isSameCode && { code }),
          ...(isFirst && { isFirst }),
          ...(isTooLong && { namedMs }),
        },
      }
    },
    /** The reason to stop; undefined while patience lasts. */
    gaveUp: (now: number) => (trouble !== undefined && now >= trouble.stopAt ? trouble.stop : undefined),
    /** How long a silence may last, milliseconds. */
    limitMs: () => (isFirst ? FIRST_MS : giveUpAfterMs),
    /** Milliseconds until patience ends; undefined while calls succeed. */
    remainingMs: (now: number) => trouble && Math.max(0, trouble.stopAt - now),
    /** The last attempt; undefined while calls succeed. */
    trouble: () => trouble?.stop.last,
  }
}

/** Redirects or 404s of so many questions in a row are those of a login page or of a wrong address. */
const MAX_MISDIRECTED = 3

/**
 * Finds redirects and 404s in a row, in the order of sending: when a login expires, slow answers to earlier
 * calls arrive among the redirects of later ones.
 */
export class Misdirections<Call> {
  /** By attempt, in the order of sending: undefined while it is in flight. */
  readonly #calls = new Map<number, Misdirection<Call> | undefined>()
  #held = 0
  /** The latest attempt that got another reply. */
  #replied = 0

  sent(attempt: number): void {
    this.#calls.set(attempt, undefined)
  }

  /**
   * Returns the redirects and 404s that are single ones, since a later call got another reply. `key`: those
   * with the same one count once in a row, such as the repeats of a question.
   */
  ended(attempt: number, result: AttemptResult, key: number, call: Call): Call[] {
    if (result.kind === 'rejection' && isMisdirected(result)) {
      this.#calls.set(attempt, { key, result, call })
      this.#held += 1
    } else {
      this.#calls.delete(attempt)
      if (statusOf(result) !== undefined) this.#replied = Math.max(this.#replied, attempt)
    }
    if (this.#held === 0) return []
    return [...this.#calls].flatMap(([sent, held]) => {
      if (held === undefined || sent > this.#replied) return []
      this.#calls.delete(sent)
      this.#held -= 1
      return [held.call]
    })
  }

  get held(): Call[] {
    return [...this.#calls.values()].flatMap((held) => (held === undefined ? [] : [held.call]))
  }

  /** The reason to stop: that many are in a row, and no call between them is in flight. */
  inARow(min = MAX_MISDIRECTED): Stop | undefined {
    if (this.#held === 0) return undefined
    const keys = new Set<number>()
    for (const held of this.#calls.values()) {
      if (held === undefined) keys.clear()
      else if (keys.add(held.key).size >= min) {
        const { httpStatus, headers } = held.result
        // Without login and query, which may hold secrets.
        const location = headers?.['location']?.replace(/[?#;].*$/s, '').replace(/\/\/[^/]*@/, '//')
        return {
          kind: 'elsewhere',
          httpStatus,
          ...(location !== undefined && { location: cut(location, 100) }),
        }
      }
    }
    return undefined
  }
}

interface Misdirection<Call> {
  readonly key: number
  readonly result: Extract<AttemptResult, { kind: 'rejection' }>
  readonly call: Call
}

/** Prefers Retry-After, which applies to this call. */
function namedWait(observation: Extract<Observation, { kind: 'rateLimited' | 'failed' }>): number {
  if (observation.kind === 'failed') return observation.namedMs ?? 0
  return observation.namedMs ?? observation.hints?.resetMs ?? 0
}

/** Rounds milliseconds to microseconds: further digits are noise and would be a third of the journal. */
export const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000
