// Why a session ended, and the sentence that says so.
import * as z from 'zod'
import { digits, duration, makeMessage, type Message } from './format.ts'
import { cut } from './text.ts'

export const stopSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('decided') }),
  z.object({ kind: z.literal('keyRefused'), httpStatus: z.int(), message: z.string() }),
  /** It answered 402, or 403 with an `error.code` of a quota. */
  z.object({
    kind: z.literal('quotaUsedUp'),
    httpStatus: z.int(),
    code: z.string().optional(),
    message: z.string(),
  }),
  z.object({ kind: z.literal('proxyRefused'), message: z.string() }),
  /** Redirects or 404s came in a row: what replies is not the endpoint. The last one leads to `location`. */
  z.object({ kind: z.literal('elsewhere'), httpStatus: z.int(), location: z.string().optional() }),
  /** `last` is the last attempt, if all failed since the last answer. */
  z.object({ kind: z.literal('budget'), maxCalls: z.int(), last: z.string().optional() }),
  z.object({
    kind: z.literal('timeUp'),
    maxMs: z.number(),
    option: z.enum(['--duration', '--max-duration']).default('--duration'),
  }),
  /**
   * Only refusals, or only failures, came for the time of `--give-up-after`, before the first answer for a
   * minute; or HTTP could not read several answers in a row.
   */
  z.object({
    kind: z.literal('gaveUp'),
    /** Version 0.3 had another kind of failures. */
    over: z.enum(['refusals', 'failures', 'unreadable']).catch('failures'),
    last: z.string(),
    afterMs: z.number(),
    code: z.string().optional(),
    isFirst: z.boolean().optional(),
    /** The endpoint's last Retry-After or reset was longer than the time left. */
    namedMs: z.number().optional(),
  }),
  z.object({ kind: z.literal('limiterLost'), reason: z.string() }),
  z.object({ kind: z.literal('storage'), message: z.string() }),
  /** The `caller` is the program that uses the library. */
  z.object({ kind: z.literal('interrupted'), signal: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP', 'caller']) }),
  z.object({ kind: z.literal('fault'), message: z.string() }),
])
export type Stop = z.infer<typeof stopSchema>

/** It stopped before every turn had an outcome; undefined if the process died. */
export type EarlyStop = Exclude<Stop, { kind: 'done' }> | undefined

export function stopMessage(stop: EarlyStop): Message {
  switch (stop?.kind) {
    case undefined:
      return makeMessage('stop-died', 'the process ended before the run did')
    case 'decided':
      return makeMessage('stop-decided', 'sending stopped when other gates were decided (--until-decided)')
    case 'keyRefused': {
      const { httpStatus, message } = stop
      const what = httpStatus === 401 ? 'the key (401)' : 'the scope of the key (403)'
      const text = message.trimEnd().replace(/\.+$/, '')
      return makeMessage('stop-key', `the endpoint rejected ${what}: ${text}`)
    }
    case 'quotaUsedUp': {
      const { httpStatus, code = '', message } = stop
      const refusal = `${httpStatus} ${cut(code, 60)}`.trimEnd()
      return makeMessage('stop-quota', `the quota is used up (${refusal}: ${cut(message, 200)})`)
    }
    case 'proxyRefused':
      return makeMessage('stop-proxy', stop.message)
    case 'elsewhere': {
      const { httpStatus, location } = stop
      const text =
        httpStatus === 404
          ? 'nothing is found at the address of the endpoint (404): check --base-url'
          : `the endpoint redirects to ${location ?? 'nowhere'} (${httpStatus}): a login page or another ` +
            'address; check the login and --base-url'
      return makeMessage('stop-elsewhere', text)
    }
    case 'budget': {
      const { maxCalls, last } = stop
      const failure = last === undefined ? '' : `; the last call failed (${last})`
      const text = `the call budget of ${digits(maxCalls)} is used up (--max-calls)${failure}`
      return makeMessage('stop-budget', text)
    }
    case 'timeUp':
      return makeMessage('stop-time', `time is up after ${duration(stop.maxMs)} (${stop.option})`)
    case 'gaveUp':
      return gaveUpMessage(stop)
    case 'limiterLost':
      return makeMessage('stop-limiter', stop.reason)
    case 'storage':
      return makeMessage('stop-storage', `the journal cannot be written (${stop.message}): sending stopped`)
    case 'interrupted': {
      const { signal } = stop
      const text = signal === 'caller' ? 'stopped by the program that called it' : `interrupted (${signal})`
      return makeMessage('stop-interrupted', text)
    }
    case 'fault':
      return makeMessage('stop-fault', `a fault of the harness: ${stop.message}`)
  }
}

function gaveUpMessage(stop: Extract<Stop, { kind: 'gaveUp' }>): Message {
  const { over, last, afterMs: ms, code, isFirst = false, namedMs: waitMs } = stop
  if (over === 'unreadable')
    return makeMessage('stop-unreadable', `the endpoint answers, but its answers cannot be read: ${last}`)
  if (waitMs !== undefined) {
    // What is left may round to the same words as the wait.
    const left = duration(ms) === duration(waitMs) ? '' : ` ${duration(ms)}`
    const allowed = isFirst
      ? `${left === '' ? 'the time' : `the${left}`} that a session waits for its first answer`
      : `--give-up-after${left} allows`
    const text = `the endpoint asks to wait ${duration(waitMs)}, longer than ${allowed} (${last})`
    return makeMessage('stop-named-wait', text)
  }
  switch (over) {
    case 'refusals': {
      const each = code === undefined ? '' : `, each with ${code}`
      const text =
        `only 429s for ${duration(ms)}${each}: the quota is used up, or other traffic uses ` +
        `the limit (last: ${last})`
      return makeMessage('stop-refusals', text)
    }
    case 'failures': {
      const text = `only failures for ${duration(ms)}: the endpoint is unreachable or down (last: ${last})`
      return makeMessage('stop-failures', text)
    }
  }
}
