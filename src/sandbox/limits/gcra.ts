// Generic cell rate algorithm (ITU-T I.371): calls spaced evenly, with a tolerance for bursts.
import type { Limit } from './rule.ts'

/** Times are sums of fractions of a millisecond; a call that is due to within this is due. */
const NEARLY = 1e-6

export function gcra(limit: number, windowMs: number, burst: number): Limit {
  const spacing = windowMs / limit
  const tolerance = (burst - 1) * spacing
  /** When the next call would be due if all had come evenly. */
  let dueAt = Number.NEGATIVE_INFINITY

  return {
    nextAt: (now) => (dueAt - tolerance <= now + NEARLY ? now : dueAt - tolerance),
    spend(now) {
      dueAt = Math.max(now, dueAt) + spacing
    },
    standing(now) {
      const ahead = Math.max(0, dueAt - now)
      const remaining = Math.max(0, Math.floor((tolerance - ahead) / spacing + NEARLY) + 1)
      return { limit, windowMs, remaining, resetAt: now + ahead }
    },
  }
}
