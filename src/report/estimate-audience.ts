// An audience that asks as the set does, in words: conversations and calls, and the day on which the allowance ends.
import type { AudienceEstimate, Estimate } from '../domain/estimate.ts'
import type { AccountLine } from './account.ts'
import { digits, plural } from '../domain/digits.ts'
import { percent } from './numbers.ts'

/** Nothing where no audience was named. */
export function describeAudience({ audience, use, quota }: Estimate): AccountLine[] {
  if (audience === null) return []
  const { users, questionsPerUser, callsPerDay, threadsPerDay, turnsPerThread, withNightlyRun } = audience
  const { period } = use
  const a = `${plural(users, 'user')} with ${plural(questionsPerUser, 'question')} a day each: ${plural(short(callsPerDay), 'call')} a day`
  const threads = `${plural(short(threadsPerDay), 'thread')} a day (${plural(short(turnsPerThread), 'turn')} each, as in this set)`
  const end = (of: Pick<AudienceEstimate, 'shareOfQuota' | 'quotaEndsOnDay'>): string =>
    quota === null
      ? ''
      : `, ${percent(of.shareOfQuota)} of the quota: ${of.quotaEndsOnDay === null ? `it lasts the ${period}` : endOf(of.quotaEndsOnDay, period)}`
  return [
    {
      label: 'Audience',
      words: `${a}, ${threads}, ${digits(audience.calls)} calls a ${period}${end(audience)}`,
    },
    {
      label: '',
      words: `with this set asked every night: ${callsOf(withNightlyRun)} calls a ${period}${end(withNightlyRun)}`,
    },
  ]
}

/** Plain up to four digits, as it always was; more are not read without a sign between them. */
const callsOf = ({ calls }: Pick<AudienceEstimate, 'calls'>): string =>
  calls < 10_000 ? String(calls) : digits(calls)

const endOf = (day: number, period: string): string =>
  period === 'day' ? 'it ends before the day does' : `it ends on day ${day} of the ${period}`

const short = (value: number): number => Number(value.toFixed(value < 10 ? 2 : 0))
