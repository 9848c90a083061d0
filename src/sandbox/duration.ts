// Durations as people write them in the config file, to milliseconds.
import * as z from 'zod'

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const PATTERN = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/

const UNIT_MISSING = 'must be a duration with its unit, such as 500ms, 30s, 2m or 1h'

/** Timers of Node take no more; one that is longer fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** `500ms`, `30s`, `2m`, `1.5h`, `1d`. A bare number is refused: nobody knows its unit. */
export const durationSchema = z
  .string({ error: UNIT_MISSING })
  .regex(PATTERN, UNIT_MISSING)
  .transform((text) => {
    const [, amount, unit] = PATTERN.exec(text) ?? []
    return Number(amount) * UNITS[unit as keyof typeof UNITS]
  })

/** A duration that something is divided by. */
export const periodSchema = durationSchema.refine((ms) => ms > 0, 'must be longer than 0')

/** A duration that a timer waits for. */
export const delaySchema = durationSchema.refine(
  (ms) => ms <= MAX_TIMER_MS,
  `must not be longer than ${MAX_TIMER_MS} ms, about 24 days`,
)
