// Why a session stops: an error, an interruption, or the end of --give-up-after.
import type { AttemptResult } from '../domain/attempt.ts'
import type { Stop } from '../domain/stop.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { Observation } from '../pace/observation.ts'

export function interruption({ reason }: AbortSignal): Stop {
  const isKnown = reason === 'SIGTERM' || reason === 'SIGHUP' || reason === 'caller'
  return { kind: 'interrupted', signal: isKnown ? reason : 'SIGINT' }
}

export function stopOfError(error: unknown): Stop {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof StorageError)) return { kind: 'fault', message }
  return { kind: 'storage', message, ...(error.code === undefined ? {} : { code: error.code }) }
}

/** The result of the attempt, with the endpoint's own code and message. */
export function wordsOf(observation: Observation, result: AttemptResult): string {
  if (result.kind !== 'rejection') return observation.kind === 'failed' ? observation.cause : result.kind
  const { code, message } = result.error
  return [String(result.httpStatus), ...(code === undefined ? [] : [code]), message].join(' ').slice(0, 300)
}

/** What the end of an attempt means for patience. */
export interface Sign {
  readonly observation: Observation
  /** The endpoint's message. */
  readonly words: string
  /** When the attempt was sent, and now: milliseconds of one clock. */
  readonly sentAt: number
  readonly now: number
}

export type Loss = Extract<Stop, { kind: 'gaveUp' }>

export interface Patience {
  /** Nothing tries it: an answer changes nothing. */
  isCalm(): boolean
  note(sign: Sign): void
  /** What patience ended over; undefined while it lasts. */
  lostOver(now: number): Loss | undefined
  /** Milliseconds until it ends; undefined while calls succeed. */
  remainingMs(now: number): number | undefined
}

/** It ends after so long without an answer, and at once when the endpoint names a wait beyond that. */
export function createPatience(giveUpAfterMs: number): Patience {
  let trouble: { readonly endsAt: number; readonly loss: Loss } | undefined

  return {
    isCalm: () => trouble === undefined,
    note: ({ observation, words, sentAt, now }) => {
      if (observation.kind === 'nothing') return
      if (observation.kind === 'accepted') {
        trouble = undefined
        return
      }
      const endsAt = trouble?.endsAt ?? sentAt + giveUpAfterMs
      const over = observation.kind === 'failed' ? 'failures' : 'refusals'
      const namedMs = namedWait(observation)
      const isTooLong = now + namedMs > endsAt
      trouble = {
        endsAt: isTooLong ? now : endsAt,
        loss: { kind: 'gaveUp', over, last: words, afterMs: giveUpAfterMs, ...(isTooLong && { namedMs }) },
      }
    },
    lostOver: (now) => (trouble !== undefined && now >= trouble.endsAt ? trouble.loss : undefined),
    remainingMs: (now) => trouble && Math.max(0, trouble.endsAt - now),
  }
}

/** Retry-After first: it is what the endpoint asks of this call. */
function namedWait(observation: Extract<Observation, { kind: 'rateLimited' | 'failed' }>): number {
  if (observation.kind === 'failed') return observation.namedMs ?? 0
  return observation.namedMs ?? observation.hints?.resetMs ?? 0
}

/** To the thousandth of a millisecond: further digits are the clock's noise, and a third of the journal. */
export const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000
