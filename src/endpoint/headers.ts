// Which headers of an answer are worth keeping: what the limiter reads, and what support asks for.
import type { Headers } from './reply.ts'

/** Of every answer. */
const ALWAYS = /^((x-)?ratelimit.*|x-rate-limit.*|x-request-id|request-id|x-correlation-id)$/
/** Of one that is no 2xx, besides. */
const ON_ERRORS = /^(retry-after|date|server|via|content-type|location)$/
/** Characters of one header value: they are somebody else's text. */
const LONGEST = 300

export function pickHeaders(
  httpStatus: number,
  raw: Readonly<Record<string, string | string[] | undefined>>,
): Headers {
  const isError = httpStatus < 200 || httpStatus > 299
  return Object.fromEntries(
    Object.entries(raw)
      .filter(([name]) => ALWAYS.test(name) || (isError && ON_ERRORS.test(name)))
      .map(([name, value]) => [
        name,
        (Array.isArray(value) ? value.join(', ') : (value ?? '')).slice(0, LONGEST),
      ]),
  )
}
