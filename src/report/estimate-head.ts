// The first lines of an estimate: what `estimate` begins with, and what `run` says before it starts.
import type { PaceEstimate, QuotaEstimate, TotalEstimate } from '../domain/estimate.ts'
import type { AccountLine } from './account.ts'
import { digits, plural } from '../domain/text.ts'
import { callRate, duration, percent } from './numbers.ts'
import { describeQuota } from './quota-words.ts'

export interface EstimateHead {
  readonly calls: TotalEstimate['calls']
  readonly quota: QuotaEstimate | null
  /** Where it is known, its part in the time is said; undefined where the time is said elsewhere. */
  readonly pace: PaceEstimate | undefined
}

export function estimateHead({ calls, quota, pace }: EstimateHead): AccountLine[] {
  const isCut = calls.maxCalls !== null && calls.maxCalls < calls.base
  return [
    { label: 'Calls', words: `${describeCalls(calls)}${describeRefusals(calls)}` },
    ...(isCut
      ? [
          {
            label: 'Budget',
            words:
              calls.maxCalls === 0
                ? `--max-calls leaves no call, and ${digits(calls.base)} ${calls.base === 1 ? 'is' : 'are'} needed: nothing will be asked, unless you raise it`
                : `--max-calls leaves ${plural(calls.maxCalls, 'call')}, and ${digits(calls.base)} are needed: ` +
                  'the run will stop early, and can be resumed with more',
          },
        ]
      : []),
    ...(quota === null || calls.base === 0 ? [] : [{ label: 'Quota', words: describeShare(quota) }]),
    ...(pace?.kind === 'paced' && calls.base > 1 && calls.maxCalls !== 0
      ? [{ label: 'Time', words: describePace(calls, pace.perSecond, isCut) }]
      : []),
  ]
}

function describeCalls({ base, worst, restarts, maxCalls }: TotalEstimate['calls']): string {
  const isCapped = maxCalls !== null && worst === maxCalls && worst < base + restarts
  const parts = restarts > 0 ? [`${digits(restarts)} more to restart threads after lost answers`] : []
  const why = isCapped ? ['--max-calls'] : parts
  const most = why.length === 0 ? `${digits(worst)} at most` : `${digits(worst)} at most (${why.join(', ')})`
  if (base !== worst) return `${digits(base)} if nothing fails, ${most}`
  return isCapped
    ? `${digits(base)} if nothing fails, and --max-calls leaves no more: a failure or a 429 stops the run early`
    : `${digits(base)}, whatever fails`
}

const describeRefusals = ({ base, worst, worstAttempts }: TotalEstimate['calls']): string =>
  base === 0 || worst === worstAttempts ? '' : '; 429s come on top, uncounted'

function describeShare(quota: QuotaEstimate): string {
  const { shareOfQuota, runs } = quota
  const [base, worst] = [percent(shareOfQuota.base), percent(shareOfQuota.worst)]
  const most = base === worst ? '' : `, ${digits(worst)} at most`
  const sure =
    runs.base === runs.worst ? '' : ` (${runs.worst === 0 ? 'none' : digits(runs.worst)} at the worst)`
  return `${base} of ${describeQuota(quota)}${most}: enough for ${plural(runs.base, 'run')}${sure}`
}

function describePace({ base, maxCalls }: TotalEstimate['calls'], perSecond: number, isCut: boolean): string {
  const takes = (calls: number): string => `${duration((Math.max(0, calls - 1) * 1000) / perSecond)} at least`
  if (!isCut || maxCalls === null) return `${takes(base)}, at ${callRate(perSecond)}`
  return `${takes(maxCalls)} for ${plural(maxCalls, 'call')}, ${takes(base)} for all ${digits(base)}, at ${callRate(perSecond)}`
}
