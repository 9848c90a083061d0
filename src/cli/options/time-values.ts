// Option values that are times and rates, from text to meaning.
import { parseRate, RATE_FORM } from '../../pace/rate.ts'
import { anyCase, formedValue } from './form.ts'
import { atMost, NOT_ZERO } from './ranges.ts'

const UNITS = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 } as const
/** Node's timers overflow beyond 2^31 ms. */
const LONGEST_HOURS = Math.floor(2 ** 31 / UNITS.h)

const formIn = ([unit, ms]: [unit: string, ms: number]): string =>
  String.raw`${atMost((LONGEST_HOURS * UNITS.h) / ms)}\d+(?:\.\d+)?\s*${unit}`

export const DURATION = `${NOT_ZERO}(?:${Object.entries(UNITS).map(formIn).join('|')})`

/** `30s`, `2m`, `500ms`, `1h`: milliseconds. A bare number has no unit, and is refused. */
export const durationValue = formedValue(
  { text: DURATION },
  `must be a time like 30s, 2m or 1h, up to ${LONGEST_HOURS}h`,
  (text) => {
    const [, number, unit] = /^([\d.]+)\s*([a-z]+)$/.exec(text) ?? []
    const ms = Number(number) * UNITS[(unit ?? 's') as keyof typeof UNITS]
    return ms > 0 ? ms : undefined
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
