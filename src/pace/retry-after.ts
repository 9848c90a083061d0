// The Retry-After header: how long the endpoint asks us to stay away.

/** A gate closes for no longer than this, whatever wait is named: then one probe asks again. */
export const LONGEST_NAMED_MS = 3_600_000
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * Milliseconds to wait, as named; undefined where the header is absent or malformed. Seconds, or a
 * date, which is counted from the response's own `Date`, so that no clock need agree with another; without one
 * from `wall` (milliseconds since the epoch). Source: RFC 9110, 10.2.3 and 5.6.7.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  wall: number,
): number | undefined {
  const value = headers?.['retry-after']?.trim()
  if (value === undefined) return undefined
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1000
  const until = parseHttpDate(value)
  if (until === undefined) return undefined
  const from = parseHttpDate(headers?.['date'] ?? '') ?? wall
  return Math.max(until - from, 0)
}

/** An HTTP date in its three forms, as milliseconds since the epoch. */
export function parseHttpDate(text: string): number | undefined {
  const known = IMF_FIXDATE.test(text) || RFC_850.test(text) ? text : ASCTIME.test(text) ? `${text} GMT` : ''
  const time = Date.parse(known)
  return Number.isNaN(time) ? undefined : time
}
