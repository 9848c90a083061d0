// Reasons for a session to stop: an error, an interruption, or --give-up-after.
import { describeError, isUnreadable, lackOf, type AttemptResult } from '../domain/attempt.ts'
import type { Stop } from '../domain/stop.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { Observation } from '../pace/observation.ts'

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

export type GaveUp = Extract<Stop, { kind: 'gaveUp' }>

/** Times are milliseconds of one clock. */
export interface Patience {
  /** `observation`: what the result of an attempt shows. */
  note(observation: Observation, result: AttemptResult, sentAt: number, now: number): void
  /** The reason to stop; undefined while patience lasts. */
  gaveUp(now: number): GaveUp | undefined
  /** Milliseconds until patience ends; undefined while calls succeed. */
  remainingMs(now: number): number | undefined
  /** The last attempt; undefined while calls succeed. */
  trouble(): string | undefined
}

/**
 * This many answers in a row that HTTP cannot read are no accident: each is billed, and the next is no
 * better.
 */
const MAX_UNREADABLE = 3
/** Patience before the first answer of a session: a wrong host name, certificate or quota is said soon. */
const FIRST_MS = 60_000
/** A probe as a window of a minute turns, or after a wait of a minute, is sent and has its answer. */
const FIRST_SPARE_MS = 2000

/**
 * Patience ends after `giveUpAfterMs` without an answer, and at once if the endpoint names a longer wait or
 * no answer can be read.
 */
export function createPatience(giveUpAfterMs: number): Patience {
  let trouble: { readonly endsAt: number; readonly stop: GaveUp } | undefined
  let unreadable = 0
  let isFirst = giveUpAfterMs > FIRST_MS

  return {
    note: (observation, result, sentAt, now) => {
      if (observation.kind === 'nothing') return
      unreadable = isUnreadable(result) ? unreadable + 1 : 0
      if (observation.kind === 'accepted') {
        trouble = undefined
        isFirst = false
        return
      }
      if (unreadable >= MAX_UNREADABLE) {
        const last = describeError(result) ?? result.kind
        trouble = { endsAt: now, stop: { kind: 'gaveUp', over: 'unreadable', last, afterMs: giveUpAfterMs } }
        return
      }
      const endsAt = trouble?.endsAt ?? sentAt + (isFirst ? FIRST_MS + FIRST_SPARE_MS : giveUpAfterMs)
      const over = overOf(observation, result)
      const namedMs = namedWait(observation)
      const isTooLong = namedMs > 0 && now + namedMs > endsAt
      const code = result.kind === 'rejection' ? result.error.code : undefined
      const isSameCode = code !== undefined && (trouble === undefined || trouble.stop.code === code)
      trouble = {
        endsAt: isTooLong ? now : endsAt,
        stop: {
          kind: 'gaveUp',
          over,
          last: describeAttempt(observation, result),
          afterMs: isFirst ? FIRST_MS : giveUpAfterMs,
          ...(isSameCode && { code }),
          ...(isFirst && { isFirst }),
          ...(isTooLong && { namedMs }),
        },
      }
    },
    gaveUp: (now) => (trouble !== undefined && now >= trouble.endsAt ? trouble.stop : undefined),
    remainingMs: (now) => trouble && Math.max(0, trouble.endsAt - now),
    trouble: () => trouble?.stop.last,
  }
}

/** Prefers Retry-After, which applies to this call. */
function namedWait(observation: Extract<Observation, { kind: 'rateLimited' | 'failed' }>): number {
  if (observation.kind === 'failed') return observation.namedMs ?? 0
  return observation.namedMs ?? observation.hints?.resetMs ?? 0
}

/** Rounds milliseconds to microseconds: further digits are noise and would be a third of the journal. */
export const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000
