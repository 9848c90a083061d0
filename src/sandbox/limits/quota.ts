// The AI quota of one organization: so many counted calls in a period of the UTC calendar.
import * as z from 'zod'

const PERIODS = ['minute', 'hour', 'day', 'week', 'month'] as const
type Period = (typeof PERIODS)[number]

export const quotaSchema = z.strictObject({
  calls: z.int().nonnegative(),
  period: z.enum(PERIODS).default('month'),
})
export type QuotaConfig = z.output<typeof quotaSchema>

export interface Quota {
  /** Whether a call may still count, and when the period ends. */
  readonly stand: (now: number) => { readonly isSpent: boolean; readonly endsAt: number }
  readonly spend: (now: number) => void
}

/** `spentAt`: times of the calls that counted so far, which the ledger remembers across restarts. */
export function makeQuota({ calls, period }: QuotaConfig, spentAt: Iterable<number>): Quota {
  const used = new Map<number, number>()
  const spend = (at: number): void => {
    const { start } = periodAround(period, at)
    used.set(start, (used.get(start) ?? 0) + 1)
  }
  for (const at of spentAt) spend(at)
  return {
    stand(now) {
      const { start, end } = periodAround(period, now)
      return { isSpent: (used.get(start) ?? 0) >= calls, endsAt: end }
    },
    spend,
  }
}

/** The calendar period in UTC that holds a time; weeks begin on Monday (ISO 8601). */
export function periodAround(period: Period, at: number): { start: number; end: number } {
  const date = new Date(at)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const from = (start: number, length: number) => ({ start, end: start + length })
  const midnight = Date.UTC(year, month, day)
  switch (period) {
    case 'minute':
      return from(Math.floor(at / 60_000) * 60_000, 60_000)
    case 'hour':
      return from(Math.floor(at / 3_600_000) * 3_600_000, 3_600_000)
    case 'day':
      return from(midnight, 86_400_000)
    case 'week':
      return from(midnight - ((date.getUTCDay() + 6) % 7) * 86_400_000, 7 * 86_400_000)
    case 'month':
      return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) }
  }
}
