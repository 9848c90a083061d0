// What an attempt's result says to the limiter: whether it was accepted, and what its headers state. Headers
// set floors and ceilings only; malformed ones are ignored.
import { isAmbiguous, isRateLimited, type AttemptResult } from '../domain/attempt.ts'
import { cut } from '../domain/text.ts'
import { Token, parseDictionary, parseList } from 'structured-headers'
import { ROUND_WINDOWS } from './constants.ts'

export interface SentCall {
  readonly number: number
  readonly at: number
  /** Counts this one, too. */
  readonly inFlight: number
}

export type Observation =
  | { readonly kind: 'accepted'; readonly hints?: Hints | undefined }
  | Refusal
  | Failure
  /** Says that the call was not sent, or the harness gave it up. */
  | { readonly kind: 'nothing' }

/** Is a 429, with its `error.code` and the wait that the endpoint named. */
export interface Refusal {
  readonly kind: 'rateLimited'
  readonly code?: string | undefined
  readonly namedMs: number | undefined
  readonly hints?: Hints
  /** Is another status that is read as a limit: 503. */
  readonly status?: number
}

/** Is a 5xx, timeout, or lost answer; not `reached` without a connection. */
export interface Failure {
  readonly kind: 'failed'
  readonly reached: boolean
  readonly cause: string
  readonly namedMs?: number | undefined
  /** Says that it is a 503, which a limit may cause, too. */
  readonly isBusy?: boolean
}

/** Reads a result, whose answer arrived at `wall`, milliseconds since the epoch. */
export function observe(result: AttemptResult, wall: number): Observation {
  if (result.kind === 'abandoned') return { kind: 'nothing' }
  if (result.kind === 'rejection' && isRateLimited(result)) {
    const hints = readHints(result.headers, wall)
    const { code } = result.error
    // The state of a limiter is at most 8 KB.
    return { kind: 'rateLimited', code: code && cut(code, 60), namedMs: hints.namedMs, hints }
  }
  const reached = result.kind !== 'network' || result.sent
  if (!reached || isAmbiguous(result)) {
    const namedMs = result.kind === 'rejection' ? retryAfterMs(result.headers, wall) : undefined
    const cause = result.kind === 'rejection' ? `HTTP ${result.httpStatus}` : result.kind
    const isBusy = result.kind === 'rejection' && result.httpStatus === 503
    return {
      kind: 'failed',
      reached,
      cause: result.kind === 'network' ? result.code : cause,
      namedMs,
      isBusy,
    }
  }
  const hints = Object.keys(result.headers ?? {}).length === 0 ? undefined : readHints(result.headers, wall)
  return { kind: 'accepted', hints }
}

type Headers = Readonly<Record<string, string>>

export interface Policy {
  /** Is empty in older forms of the header. */
  readonly name: string
  readonly calls: number
  readonly seconds: number
}

export const rateOf = ({ calls, seconds }: Policy): number => calls / seconds

export interface Hints {
  readonly namedMs: number | undefined
  /** Counts milliseconds until the limit resets, if the headers say that nothing is left. */
  readonly resetMs: number | undefined
  /** Are stated policies; windows beyond an hour are budgets, not paces. */
  readonly policies: readonly Policy[]
  /** Counts the calls that remain, by policy name; in older forms by its calls, or '' for the only one. */
  readonly remaining: ReadonlyMap<string, number>
  /** Counts the concurrent calls that a stated policy allows. */
  readonly concurrent: number | undefined
}

/** Reads all hints. `wall` (milliseconds since the epoch) replaces a missing `Date`. Never throws. */
export function readHints(headers: Headers = {}, wall: number): Hints {
  const stated = readPolicies(headers)
  const left = readLeft(headers, sentAt(headers, wall))
  return {
    namedMs: retryAfterMs(headers, wall),
    // While something is left, a reset says nothing about the pace.
    resetMs: max(left.map(({ calls, resetMs }) => (calls === 0 ? resetMs : undefined))),
    policies: stated.flatMap(({ unit, name, calls, seconds = Infinity }) =>
      unit === 'requests' && seconds * 1000 <= Math.max(...ROUND_WINDOWS) ? [{ name, calls, seconds }] : [],
    ),
    remaining: new Map(left.map(({ name, calls }) => [name, calls])),
    concurrent: min(stated.map(({ unit, calls }) => (unit === 'concurrent-requests' ? calls : undefined))),
  }
}

/** Lists the rules that the headers announce, of any window. */
export const announcedRules = (headers: Headers = {}): { limit: number; windowMs: number }[] =>
  readPolicies(headers).flatMap(({ unit, calls, seconds }) =>
    unit === 'requests' && seconds !== undefined ? [{ limit: calls, windowMs: seconds * 1000 }] : [],
  )

/** Reads `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): quota `q`, in older forms the item. */
const readPolicies = (headers: Headers) =>
  readItems(headers['ratelimit-policy'] ?? headers['ratelimit-limit']).flatMap(([value, parameters]) => {
    const [calls, seconds] = [typeof value === 'number' ? value : parameters.get('q'), parameters.get('w')]
    if (!isCount(calls)) return []
    const name = typeof value === 'string' ? value : ''
    const unit = parameters.get('qu') ?? 'requests'
    return [{ name, unit, calls, seconds: isCount(seconds) ? seconds : undefined }]
  })

/**
 * Reads what is left of each policy; else by the older forms, whose policy has the limit as its name. `now`
 * is the endpoint's clock.
 */
function readLeft(headers: Headers, now: number) {
  const named = readItems(headers['ratelimit']).flatMap(([name, parameters]) => {
    const [calls, reset] = [parameters.get('r'), parameters.get('t')]
    const resetMs = isRest(reset) ? reset * 1000 : undefined
    return typeof name === 'string' && isRest(calls) ? [{ name, calls, resetMs }] : []
  })
  if (named.length > 0) return named
  // `RateLimit: limit=10, remaining=0, reset=5`, or a header for each in their spellings.
  const spellings = ['ratelimit-*', 'x-ratelimit-*', 'x-rate-limit-*', 'x-ratelimit-*-requests'].map(
    (form) => (field: string) => headers[form.replace('*', field)] ?? '',
  )
  return [readDictionary(headers['ratelimit']), ...spellings].flatMap((field) => {
    const counts = valuesOf(field('remaining')).map((text) =>
      /^\d{1,12}$/.test(text) ? Number(text) : undefined,
    )
    const calls = min(counts)
    if (calls === undefined) return []
    const resetMs = max(valuesOf(field('reset')).map((value) => readResetValue(value, now)))
    return [{ name: /^\d+/.exec(field('limit'))?.[0] ?? '', calls, resetMs }]
  })
}

const DURATION = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/

/** Gives milliseconds from now, for seconds from now, Unix seconds or milliseconds, `1m30s`, or a date. */
function readResetValue(text: string, now: number): number | undefined {
  if (/^\d{1,16}(\.\d+)?$/.test(text)) {
    const value = Number(text)
    if (value < 1e8) return value * 1000
    return Math.max(0, (value <= 1e11 ? value * 1000 : value) - now)
  }
  const [whole, hours = '0', minutes = '0', seconds = '0', ms = '0'] = DURATION.exec(text) ?? []
  if (whole !== undefined)
    return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(ms)
  const isIso = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)
  const date = isIso ? Date.parse(text) : (parseHttpDate(text) ?? Number.NaN)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

type ListItem = readonly [value: unknown, parameters: ReadonlyMap<string, unknown>]

/**
 * Reads a list (RFC 9651) of items, named by strings or tokens; a malformed one is empty. An item with a
 * partition key (`pk`) counts the calls of one end user, not the organization's.
 */
function readItems(field: string | undefined): ListItem[] {
  if (field === undefined) return []
  try {
    return parseList(field).flatMap(([value, parameters]): ListItem[] =>
      Array.isArray(value) || parameters.has('pk')
        ? []
        : [[value instanceof Token ? value.toString() : value, parameters]],
    )
  } catch {
    return []
  }
}

function readDictionary(field: string | undefined): (name: string) => string {
  try {
    const items = parseDictionary(field ?? '')
    return (name) => {
      const value = items.get(name)?.[0]
      return typeof value === 'number' ? String(value) : ''
    }
  } catch {
    return () => ''
  }
}

const isRest = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value)
const isCount = (value: unknown): value is number => isRest(value) && value > 0

const pick = (of: typeof Math.max, values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : of(...known)
}
const min = (values: readonly (number | undefined)[]): number | undefined => pick(Math.min, values)
const max = (values: readonly (number | undefined)[]): number | undefined => pick(Math.max, values)

/** Splits a header: a gateway and the application may each send one. An HTTP date has a comma of its own. */
const valuesOf = (field = ''): string[] =>
  (field.match(/\s*[A-Z][a-z]+, [^,]+|[^,]+/g) ?? [])
    .map((value) => value.trim())
    .filter((value) => value !== '')

/** Matches IMF-fixdate or RFC 850; asctime has no zone. */
const WITH_ZONE = /^[A-Z][a-z]+, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * Returns the longest Retry-After in milliseconds; undefined if absent or malformed. A date counts from the
 * response's `Date`, so that clocks need not agree, else from `wall` (milliseconds since the epoch). Source:
 * RFC 9110, 10.2.3 and 5.6.7.
 */
export function retryAfterMs(headers: Headers = {}, wall: number): number | undefined {
  const now = sentAt(headers, wall)
  const waits = valuesOf(headers['retry-after']).map((value) => {
    if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1000
    // Some endpoints write a Unix time or a duration here, as elsewhere.
    return readResetValue(value, now)
  })
  return max(waits)
}

/** Is when the endpoint sent the response, by its own clock. */
const sentAt = (headers: Headers, wall: number): number =>
  valuesOf(headers['date'])
    .map(parseHttpDate)
    .find((date) => date !== undefined) ?? wall

/** Reads an HTTP date in any of its three forms, as milliseconds since the epoch. */
function parseHttpDate(text: string): number | undefined {
  const time = Date.parse(WITH_ZONE.test(text) ? text : ASCTIME.test(text) ? `${text} GMT` : '')
  return Number.isNaN(time) ? undefined : time
}
