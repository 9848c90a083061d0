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

type GaveUp = Extract<Stop, { kind: 'gaveUp' }>

/** What a failed attempt says, with its code and message: of the endpoint, or why there is no connection. */
export function describeTrouble(
  observation: Observation,
  result: AttemptResult,
): { over: GaveUp['over']; last: string } {
  const failures = lackOf(result) === undefined ? 'failures' : 'machine'
  const over = observation.kind === 'rateLimited' ? 'refusals' : failures
  if (result.kind === 'network' && !result.sent) {
    const { code, message } = result
    return { over, last: (message.includes(code) ? message : `${code}: ${message}`).slice(0, 300) }
  }
  if (result.kind !== 'rejection')
    return { over, last: observation.kind === 'failed' ? observation.cause : result.kind }
  const { code, message } = result.error
  const last = [result.httpStatus, ...(code === undefined ? [] : [code]), message].join(' ')
  return { over, last: last.slice(0, 300) }
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
/** Patience with 429s of one `error.code` after which no turn was ever answered: a used-up quota. */
const QUOTA_MS = 180_000
/** It counts from the end of a longer wait that the endpoint names: a window may turn then. */
const MAX_COUNTED_WAIT_MS = 60_000

/** What there was nothing but since the last answer. Times are milliseconds of one clock. */
interface Trouble {
  /** Its first call, or the end of a named wait. */
  readonly since: number
  /** When `giveUpAfterMs` is over. */
  readonly endsAt: number
  /** When to stop, and the reason. */
  readonly stopAt: number
  readonly stop: GaveUp
}

/**
 * Patience ends after `giveUpAfterMs` without an answer, and at once if the endpoint names a longer wait or
 * no answer can be read.
 */
export class Patience {
  readonly #giveUpAfterMs: number
  #trouble: Trouble | undefined
  #unreadable = 0
  #isFirst: boolean
  /** The `error.code` of each thread's last 429, and those after which a turn was answered. */
  readonly #codes = new WeakMap<ThreadState, string>()
  readonly #passing = new Set<string | undefined>()

  constructor(giveUpAfterMs: number) {
    this.#giveUpAfterMs = giveUpAfterMs
    this.#isFirst = giveUpAfterMs > FIRST_MS
  }

  /** Undefined while calls succeed. */
  get trouble(): Trouble | undefined {
    return this.#trouble
  }

  /** How long a silence may last, in milliseconds. */
  get limitMs(): number {
    return this.#isFirst ? FIRST_MS : this.#giveUpAfterMs
  }

  /** `thread`: that of the attempt, if a turn is sent again after a 429. */
  note(
    observation: Observation,
    result: AttemptResult,
    sentAt: number,
    now: number,
    thread?: ThreadState,
  ): void {
    if (observation.kind === 'nothing') return
    this.#unreadable = isUnreadable(result) ? this.#unreadable + 1 : 0
    if (observation.kind === 'accepted') {
      this.#trouble = undefined
      this.#isFirst = false
      if (thread !== undefined && result.kind === 'reply') this.#passing.add(this.#codes.get(thread))
      return
    }
    const before = this.#trouble
    const [isFirst, giveUpAfterMs] = [this.#isFirst, this.#giveUpAfterMs]
    if (this.#unreadable >= MAX_UNREADABLE) {
      const last = describeError(result) ?? result.kind
      const stop: GaveUp = { kind: 'gaveUp', over: 'unreadable', last, afterMs: giveUpAfterMs }
      this.#trouble = { since: now, endsAt: now, stopAt: now, stop }
      return
    }
    const endsAt = before?.endsAt ?? sentAt + (isFirst ? FIRST_MS + FIRST_SPARE_MS : giveUpAfterMs)
    const resetMs = observation.kind === 'rateLimited' ? observation.hints?.resetMs : undefined
    // Retry-After is preferred: it applies to this call.
    const namedMs = observation.namedMs ?? resetMs ?? 0
    const isTooLong = namedMs > 0 && now + namedMs > endsAt
    const code = observation.kind === 'rateLimited' ? observation.code : undefined
    const isSameCode = code !== undefined && (before === undefined || before.stop.code === code)
    if (code !== undefined && thread !== undefined) this.#codes.set(thread, code)
    const isLongWait = namedMs > MAX_COUNTED_WAIT_MS
    const since = Math.max(before?.since ?? sentAt, isLongWait ? now + namedMs : -Infinity)
    const isQuota = isSameCode && thread !== undefined && !this.#passing.has(code)
    const quotaEndsAt = isQuota ? since + QUOTA_MS : Infinity
    this.#trouble = {
      since,
      endsAt,
      stopAt: isTooLong ? now : Math.min(endsAt, quotaEndsAt),
      stop: {
        kind: 'gaveUp',
        ...describeTrouble(observation, result),
        afterMs: !isTooLong && quotaEndsAt < endsAt ? QUOTA_MS : this.limitMs,
        ...(isSameCode && { code }),
        ...(isFirst && { isFirst }),
        ...(isTooLong && { namedMs }),
      },
    }
  }

  /** The reason to stop; undefined while patience lasts. */
  gaveUp(now: number): GaveUp | undefined {
    return this.#trouble !== undefined && now >= this.#trouble.stopAt ? this.#trouble.stop : undefined
  }
}

export interface EndedCall {
  readonly thread: ThreadState
  readonly attempt: number
  /** Redirects with the same number count once in a row, such as the repeats of a question. */
  readonly question: number
  readonly result: AttemptResult
}

/** Redirects or 404s of so many questions in a row are those of a login page or of a wrong address. */
const MAX_MISDIRECTED = 3

/**
 * Finds redirects and 404s in a row, in the order of sending: when a login expires, slow answers to earlier
 * calls arrive among the redirects of later ones.
 */
export class Misdirections {
  /** By attempt, in the order of sending: undefined while it is in flight. */
  readonly #calls = new Map<number, EndedCall | undefined>()
  #held = 0
  /** The latest attempt that got another reply. */
  #replied = 0

  sent(attempt: number): void {
    this.#calls.set(attempt, undefined)
  }

  /** Returns the redirects and 404s that are single ones, since a later call got another reply. */
  ended(call: EndedCall): EndedCall[] {
    if (isMisdirected(call.result)) {
      this.#calls.set(call.attempt, call)
      this.#held += 1
    } else {
      this.#calls.delete(call.attempt)
      if (statusOf(call.result) !== undefined) this.#replied = Math.max(this.#replied, call.attempt)
    }
    const singles = this.held.filter(({ attempt }) => attempt <= this.#replied)
    for (const { attempt } of singles) this.#calls.delete(attempt)
    this.#held -= singles.length
    return singles
  }

  get held(): EndedCall[] {
    return this.#held === 0 ? [] : [...this.#calls.values()].filter((held) => held !== undefined)
  }

  /** The reason to stop: that many are in a row, and no call between them is in flight. */
  inARow(min = MAX_MISDIRECTED): Stop | undefined {
    if (this.#held < min) return undefined
    const questions = new Set<number>()
    for (const held of this.#calls.values()) {
      if (held === undefined) questions.clear()
      else if (held.result.kind === 'rejection' && questions.add(held.question).size >= min) {
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

/** Rounds milliseconds to microseconds: further digits are noise and would be a third of the journal. */
export const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000
