// Option values that are times and rates, from text to meaning.
import { parseRate, RATE_FORM } from '../../pace/rate.ts'
import { anyCase, formedValue } from './form.ts'
import { NOT_ZERO } from './number-values.ts'

const UNITS = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 } as const
/** Node's timers overflow beyond 2^31 ms. */
const LONGEST_MS = 2 ** 31 - 1

export const DURATION = String.raw`${NOT_ZERO}\d+(?:\.\d+)?\s*(?:ms|s|min|m|h)`

/** `30s`, `2m`, `500ms`, `1h`: milliseconds. A bare number has no unit, and is refused. */
export const durationValue = formedValue(
  { text: DURATION },
  `must be a time like 30s, 2m or 1h, up to ${Math.floor(LONGEST_MS / UNITS.h)}h`,
  (text) => {
    const [, number, unit] = /^([\d.]+)\s*([a-z]+)$/.exec(text) ?? []
    const ms = Number(number) * UNITS[(unit ?? 's') as keyof typeof UNITS]
    return ms > 0 && ms <= LONGEST_MS ? ms : undefined
  },
)

export const KNOWN_RATE = anyCase(NOT_ZERO + RATE_FORM)

/** Kept as typed: the manifest shows it; `parseRate` gives its meaning again. */
export const rateValue = formedValue(
  { text: `${anyCase('auto|unlimited')}|${KNOWN_RATE}` },
  'must be auto, unlimited, or a rate like 60/min, 5/s, 1000/h',
  (text) => (parseRate(text) === undefined ? undefined : text.toLowerCase()),
)

export const knownRateValue = formedValue(
  { text: KNOWN_RATE },
  'must be a rate like 60/min, 5/s, 1000/h',
  (text) => (parseRate(text)?.kind === 'known' ? text.toLowerCase() : undefined),
)
