// Reasons for a session to stop: an error, an interruption, --give-up-after, or a login page.
import {
  describeError,
  isMisdirected,
  isUnreadable,
  statusOf,
  type AttemptResult,
} from '../domain/attempt.ts'
import type { Stop } from '../domain/stop.ts'
import { StorageError } from '../domain/storage-error.ts'
import { cut } from '../domain/text.ts'
import type { Observation } from '../pace/observation.ts'
import type { ThreadState } from './thread.ts'

export function interruption({ reason }: AbortSignal): Stop {
  const isKnown = reason === 'SIGTERM' || reason === 'SIGHUP' || reason === 'caller'
  return { kind: 'interrupted', signal: isKnown ? reason : 'SIGINT' }
}

export function stopOfError(error: unknown): Stop {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: error instanceof StorageError ? 'storage' : 'fault', message }
}

type GaveUp = Extract<Stop, { kind: 'gaveUp' }>

/** Has Node's codes of a certificate from a private CA. */
const UNKNOWN_CA = /SELF_SIGNED_CERT|^UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)/

/** Words a failed attempt, with its code and message: of the endpoint, or why there is no connection. */
export function describeTrouble(
  observation: Observation,
  result: AttemptResult,
): { over: GaveUp['over']; last: string } {
  const over = observation.kind === 'rateLimited' ? 'refusals' : 'failures'
  if (result.kind === 'network' && !result.sent) {
    const { code, message } = result
    const mend = UNKNOWN_CA.test(code) ? '; set NODE_EXTRA_CA_CERTS to its CA' : ''
    return { over, last: (message.includes(code) ? message : `${code}: ${message}`).slice(0, 300) + mend }
  }
  if (result.kind !== 'rejection')
    return { over, last: observation.kind === 'failed' ? observation.cause : result.kind }
  const { code, message } = result.error
  const last = [result.httpStatus, ...(code === undefined ? [] : [code]), message].join(' ')
  return { over, last: last.slice(0, 300) }
}

/** Ends patience after so many answers in a row that HTTP cannot read: each is billed. */
const MAX_UNREADABLE = 3
/** Is the patience before a session's first answer: a wrong host, certificate or quota is said soon. */
const FIRST_MS = 60_000
/** Spares a probe that is sent as a window of a minute turns, or after such a wait, until its answer. */
const FIRST_SPARE_MS = 2000
/** Is the patience with 429s of one `error.code` after which no turn was ever answered: a used-up quota. */
export const QUOTA_MS = 180_000
/** Moves its start to the end of a longer wait that the endpoint names: a window may turn then. */
const MAX_COUNTED_WAIT_MS = 60_000

/** Is a series of failures since the last answer. Times are milliseconds of one clock. */
interface Trouble {
  /** Is its first call, or the end of a named wait. */
  readonly since: number
  readonly endsAt: number
  readonly stopAt: number
  readonly stop: GaveUp
}

/** Ends after `giveUpAfterMs` without an answer, and at once if the endpoint names a longer wait. */
export class Patience {
  readonly #giveUpAfterMs: number
  #trouble: Trouble | undefined
  #unreadable = 0
  #isFirst: boolean
  /** Holds the `error.code` of each thread's last 429, and codes after which a turn was answered. */
  readonly #codes = new WeakMap<ThreadState, string>()
  readonly #passing = new Set<string | undefined>()

  constructor(giveUpAfterMs: number) {
    this.#giveUpAfterMs = giveUpAfterMs
    this.#isFirst = giveUpAfterMs > FIRST_MS
  }

  get trouble(): Trouble | undefined {
    return this.#trouble
  }

  get limitMs(): number {
    return this.#isFirst ? FIRST_MS : this.#giveUpAfterMs
  }

  /** Notes an attempt; `thread` is its thread if a turn is sent again after a 429. */
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

  gaveUp(now: number): GaveUp | undefined {
    return this.#trouble !== undefined && now >= this.#trouble.stopAt ? this.#trouble.stop : undefined
  }
}

export interface EndedCall {
  readonly thread: ThreadState
  readonly attempt: number
  /** Counts redirects with the same number once in a row, such as the repeats of a question. */
  readonly question: number
  readonly result: AttemptResult
}

/** Takes redirects or 404s of so many questions in a row as those of a login page or a wrong address. */
const MAX_MISDIRECTED = 3

/**
 * Finds redirects and 404s in a row, in the order of sending: slow answers to calls before a login expired
 * arrive among the redirects of later ones.
 */
export class Misdirections {
  /** Holds calls by attempt, in the order of sending: undefined while one is in flight. */
  readonly #calls = new Map<number, EndedCall | undefined>()
  #held = 0
  /** Is the latest attempt that got another reply. */
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

  /** Gives the reason to stop: that many are in a row, and no call between them is in flight. */
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
