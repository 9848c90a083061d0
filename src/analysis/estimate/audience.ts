// People who ask as the set does: conversations and calls a day, and when the allowance ends.
import type { AudienceEstimate, TotalEstimate } from '../../domain/estimate.ts'
import { PERIOD_DAYS, repeatedCalls, shareOfQuota, type Quota } from '../../domain/quota.ts'

export interface Audience {
  readonly users: number
  /** Each, a day; every day of the period counts, weekends too. */
  readonly questionsPerUser: number
}

/** A question is a call; none is lost or asked again. Conversations have the set's own mean number of turns. */
export function estimateAudience(
  { users, questionsPerUser }: Audience,
  { threads, questions }: Pick<TotalEstimate, 'threads' | 'questions'>,
  nightlyCalls: number,
  quota: Quota | null,
): AudienceEstimate {
  const callsPerDay = users * questionsPerUser
  const turnsPerThread = questions / threads
  const days = PERIOD_DAYS[quota?.period ?? 'month']
  const over = (daily: number): AudienceEstimate['withNightlyRun'] => {
    const calls = repeatedCalls({ min: daily, max: daily }, days).max
    return { calls, shareOfQuota: shareOfQuota(calls, quota), quotaEndsOnDay: lastDay(daily, days, quota) }
  }
  return {
    users,
    questionsPerUser,
    turnsPerThread,
    threadsPerDay: callsPerDay / turnsPerThread,
    callsPerDay,
    ...over(callsPerDay),
    withNightlyRun: over(callsPerDay + nightlyCalls),
  }
}

/** The day on which the last call of the allowance is made. Null where the period ends before. */
function lastDay(daily: number, days: number, quota: Quota | null): number | null {
  if (quota === null || daily * days <= quota.calls) return null
  return Math.ceil(quota.calls / daily)
}
