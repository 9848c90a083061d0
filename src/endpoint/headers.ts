// Which headers of an answer are worth keeping: what the limiter reads, and what support asks for.
import type { Headers } from './reply.ts'

/** Of every answer. */
const ALWAYS = /^((x-)?ratelimit.*|x-rate-limit.*|x-request-id|request-id|x-correlation-id)$/
/** Of one that is no 2xx, besides. */
const ON_ERRORS = /^(retry-after|date|server|via|content-type|location)$/
/** Characters of one header value: they are somebody else's text. */
const LONGEST = 300

const NONE: Headers = {}

export interface ReadHeaders {
  /** Those worth keeping, names in small letters. */
  readonly headers: Headers
  /** `content-encoding`; empty where there is none. */
  readonly encoding: string
}

const NOTHING: ReadHeaders = { headers: NONE, encoding: '' }

/** `raw`: names and values in turn, as they came. */
export function readHeaders(httpStatus: number, raw: readonly Buffer[]): ReadHeaders {
  const isError = httpStatus < 200 || httpStatus > 299
  // Most answers have none that matter: they are not decoded.
  if (!isError && !mayMatter(raw)) return NOTHING
  const kept = new Map<string, string>()
  let encoding = ''
  for (let place = 0; place < raw.length; place += 2) {
    // What HTTP says of headers: one byte a letter, and one name twice is a list.
    const [name = '', value = ''] = [
      raw[place]?.toString('latin1').toLowerCase(),
      raw[place + 1]?.toString('latin1'),
    ]
    if (name === 'content-encoding') encoding = join(encoding, value)
    if (ALWAYS.test(name) || (isError && ON_ERRORS.test(name))) kept.set(name, join(kept.get(name), value))
  }
  const headers = Object.fromEntries([...kept].map(([name, value]) => [name, value.slice(0, LONGEST)]))
  return { headers, encoding }
}

const join = (before: string | undefined, value: string): string =>
  before === undefined || before === '' ? value : `${before}, ${value}`

const [R, X, C] = [0x72, 0x78, 0x63]
const SMALL = 0x20
const ENCODING_LENGTH = 'content-encoding'.length

/** By the first letters of what is kept of a 2xx, and of `content-encoding`: more than these may pass. */
function mayMatter(raw: readonly Buffer[]): boolean {
  for (let place = 0; place < raw.length; place += 2) {
    const name = raw[place]
    const letter = (name?.[0] ?? 0) | SMALL
    if (letter === R || letter === X || (letter === C && name?.length === ENCODING_LENGTH)) return true
  }
  return false
}
