// The AI quota of one organization: a number of counted calls per UTC calendar period.
import * as z from 'zod'

const PERIODS = ['minute', 'hour', 'day', 'week', 'month'] as const
type Period = (typeof PERIODS)[number]

export const quotaConfigSchema = z.strictObject({
  calls: z.int().nonnegative(),
  period: z.enum(PERIODS).default('month'),
})
export type QuotaConfig = z.output<typeof quotaConfigSchema>

export interface QuotaCheck {
  readonly check: (now: number) => { readonly isSpent: boolean; readonly endsAt: number }
  readonly spend: (now: number) => void
}

export function makeQuota({ calls, period }: QuotaConfig): QuotaCheck {
  const used = new Map<number, number>()
  return {
    check(now) {
      const { start, end } = periodAround(period, now)
      return { isSpent: (used.get(start) ?? 0) >= calls, endsAt: end }
    },
    spend(now) {
      const { start } = periodAround(period, now)
      used.set(start, (used.get(start) ?? 0) + 1)
    },
  }
}

const DAY = 86_400_000
/** Begin in ms since the Unix epoch, a Thursday; weeks begin on Monday (ISO 8601). */
const EVEN_PERIODS = {
  minute: [60_000, 0],
  hour: [3_600_000, 0],
  day: [DAY, 0],
  week: [7 * DAY, 4 * DAY],
} as const

export function periodAround(period: Period, at: number): { start: number; end: number } {
  if (period === 'month') {
    const date = new Date(at)
    const monthAfter = (months: number): number =>
      Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
    return { start: monthAfter(0), end: monthAfter(1) }
  }
  const [length, origin] = EVEN_PERIODS[period]
  const start = Math.floor((at - origin) / length) * length + origin
  return { start, end: start + length }
}
