// What response headers say about the limit. Hints are floors and ceilings only; malformed ones are ignored.
import { Token, parseDictionary, parseList } from 'structured-headers'

type Headers = Readonly<Record<string, string>>

/** A stated number of calls in a time. */
export interface Policy {
  /** Empty in older forms of the header. */
  readonly name: string
  readonly calls: number
  readonly seconds: number
}

export interface Hints {
  /** Retry-After, milliseconds. */
  readonly namedMs: number | undefined
  /** Milliseconds until the limit resets, if the headers say that nothing is left. */
  readonly resetMs: number | undefined
  /** Stated policies; windows beyond an hour are budgets, not paces. */
  readonly policies: readonly Policy[]
  /** Calls that remain, by the policy's name; in older forms by its number of calls, or of the only policy: ''. */
  readonly remaining: ReadonlyMap<string, number>
  /** Concurrent calls that a stated policy allows. */
  readonly concurrent: number | undefined
}

const LONGEST_PACED_WINDOW_S = 3600
const MAX_NAME = 40

/** `wall`: when the answer arrived, milliseconds since the epoch; used if the answer has no `Date`. Never throws. */
export function readHints(headers: Headers = {}, wall: number): Hints {
  const policies = readItems(headers['ratelimit-policy'] ?? headers['ratelimit-limit']).map(readPolicy)
  return {
    namedMs: retryAfterMs(headers, wall),
    resetMs: readReset(headers, sentAt(headers, wall)),
    policies: policies.flatMap(({ policy }) => policy ?? []),
    remaining: readRemaining(headers),
    concurrent: least(policies.map(({ concurrent }) => concurrent)),
  }
}

/** An item of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), in the current or an older form. */
function readPolicy([value, parameters]: ListItem): { policy?: Policy; concurrent?: number } {
  // The current form names the policy and has the quota in `q`; an older one is the quota itself.
  const quota = typeof value === 'number' ? value : parameters.get('q')
  const window = parameters.get('w')
  const unit = parameters.get('qu') ?? 'requests'
  if (!isCount(quota)) return {}
  if (unit === 'concurrent-requests') return { concurrent: quota }
  const isPace = unit === 'requests' && isCount(window) && window <= LONGEST_PACED_WINDOW_S
  const name = typeof value === 'string' ? value.slice(0, MAX_NAME) : ''
  return isPace ? { policy: { name, calls: quota, seconds: window } } : {}
}

/** Of the current form, else of the older ones. */
function readRemaining(headers: Headers): ReadonlyMap<string, number> {
  const named = readItems(headers['ratelimit']).flatMap(([name, parameters]) => {
    const rest = parameters.get('r')
    return typeof name === 'string' && isRest(rest) ? [[name.slice(0, MAX_NAME), rest] as const] : []
  })
  if (named.length > 0) return new Map(named)
  for (const { limit, remaining } of olderFields(headers)) {
    const [of = '', rest] = [/^\d+/.exec(limit)?.[0], least(valuesOf(remaining).map(readCount))]
    if (rest !== undefined) return new Map([[of, rest]])
  }
  return new Map()
}

const isRest = (value: unknown): value is number => typeof value === 'number' && value >= 0
const readCount = (text: string): number | undefined => (/^\d{1,12}$/.test(text) ? Number(text) : undefined)

/** `RateLimit: limit=10, remaining=0, reset=5`, and a header for each of the three. */
function olderFields(headers: Headers): { limit: string; remaining: string; reset: string }[] {
  const one = readDictionary(headers['ratelimit'])
  const each = ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-'].map(
    (prefix) => (name: string) => headers[prefix + name] ?? '',
  )
  return [one, ...each].map((field) => ({
    limit: field('limit'),
    remaining: field('remaining'),
    reset: field('reset'),
  }))
}

/** The rules that the headers announce, of any window. Empty without one. */
export const announcedRules = (headers: Headers = {}): { limit: number; windowMs: number }[] =>
  readItems(headers['ratelimit-policy'] ?? headers['ratelimit-limit']).flatMap(([value, parameters]) => {
    const [limit, window] = [typeof value === 'number' ? value : parameters.get('q'), parameters.get('w')]
    const isRequests = (parameters.get('qu') ?? 'requests') === 'requests'
    return isRequests && isCount(limit) && isCount(window) ? [{ limit, windowMs: window * 1000 }] : []
  })

/** Only if nothing is left: otherwise a reset says nothing about the pace. `now`: by the endpoint's clock. */
function readReset(headers: Headers, now: number): number | undefined {
  const spent = readItems(headers['ratelimit']).flatMap(([, parameters]) => {
    const [rest, reset] = [parameters.get('r'), parameters.get('t')]
    return rest === 0 && typeof reset === 'number' && reset >= 0 ? [reset * 1000] : []
  })
  if (spent.length > 0) return Math.max(...spent)
  const resets = olderFields(headers)
    .filter(({ remaining }) => valuesOf(remaining).includes('0'))
    .map(({ reset }) => longest(valuesOf(reset).map((value) => readResetValue(value, now))))
  return resets.find((reset) => reset !== undefined)
}

const DURATION = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/

/** Milliseconds from now. Accepts seconds from now, Unix seconds or milliseconds, `1m30s`, or a date. */
function readResetValue(text: string, now: number): number | undefined {
  if (/^\d{1,16}(\.\d+)?$/.test(text)) {
    const value = Number(text)
    if (value < 1e8) return value * 1000
    return Math.max(0, (value <= 1e11 ? value * 1000 : value) - now)
  }
  const [whole, hours = '0', minutes = '0', seconds = '0', ms = '0'] = DURATION.exec(text) ?? []
  if (whole !== undefined)
    return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(ms)
  const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN
  const date = parseHttpDate(text) ?? (Number.isNaN(isoTime) ? undefined : isoTime)
  return date === undefined ? undefined : Math.max(0, date - now)
}

type ListItem = readonly [value: unknown, parameters: ReadonlyMap<string, unknown>]

/** A structured field list (RFC 9651) of items, named by strings or tokens. Empty if malformed. */
function readItems(field: string | undefined): ListItem[] {
  if (field === undefined) return []
  try {
    return parseList(field).flatMap(([value, parameters]): ListItem[] =>
      Array.isArray(value) ? [] : [[value instanceof Token ? value.toString() : value, parameters]],
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

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && Number.isFinite(value)
const pick = (of: typeof Math.max, values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : of(...known)
}
const least = (values: readonly (number | undefined)[]): number | undefined => pick(Math.min, values)
const longest = (values: readonly (number | undefined)[]): number | undefined => pick(Math.max, values)

/** The values of a header: a gateway and the application may each send one. An HTTP date contains a comma of its own. */
const valuesOf = (field = ''): string[] =>
  (field.match(/\s*[A-Z][a-z]+, [^,]+|[^,]+/g) ?? [])
    .map((value) => value.trim())
    .filter((value) => value !== '')

/** IMF-fixdate or RFC 850. */
const WITH_ZONE = /^[A-Z][a-z]+, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * The longest Retry-After in milliseconds; undefined if absent or malformed. A date counts from the response's `Date`, so that
 * clocks need not agree, else from `wall` (milliseconds since the epoch). Source: RFC 9110, 10.2.3 and 5.6.7.
 */
export function retryAfterMs(headers: Headers = {}, wall: number): number | undefined {
  const now = sentAt(headers, wall)
  const waits = valuesOf(headers['retry-after']).map((value) => {
    if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1000
    const until = parseHttpDate(value)
    return until === undefined ? undefined : Math.max(until - now, 0)
  })
  return longest(waits)
}

/** When the endpoint sent the response, by its own clock. */
const sentAt = (headers: Headers, wall: number): number =>
  valuesOf(headers['date'])
    .map(parseHttpDate)
    .find((date) => date !== undefined) ?? wall

/** An HTTP date in any of its three forms, as milliseconds since the epoch. */
function parseHttpDate(text: string): number | undefined {
  const known = WITH_ZONE.test(text) ? text : ASCTIME.test(text) ? `${text} GMT` : ''
  const time = Date.parse(known)
  return Number.isNaN(time) ? undefined : time
}
