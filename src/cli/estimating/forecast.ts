// What a run says before it starts: calls, share of the allowance, and no sooner than when it can be done.
import { estimateParts } from '../../analysis/estimate/calls.ts'
import { groupAlike, groupRepeats } from '../../analysis/estimate/chain.ts'
import { estimateQuota, spentOf } from '../../analysis/estimate/use.ts'
import type { TotalEstimate } from '../../domain/estimate.ts'
import { estimateHead } from '../../report/estimate-head.ts'
import { alignTable } from '../../report/table.ts'
import { forgottenCalls } from '../resume/forgotten.ts'
import type { Sitting } from '../sitting.ts'
import { callRules } from './rules.ts'
import { speedOf } from './pace.ts'

/** Lines without color; nothing is asked for it. */
export async function forecast(sitting: Sitting): Promise<string[]> {
  const { threads, repeats, manifest, target, isResumed, attemptsBefore } = sitting
  const { options } = manifest
  const { maxCalls, quota, onAmbiguous, rotatingIds } = options
  const rules = callRules({ onAmbiguous, rotatingIds })
  const callsLeft = maxCalls === null ? null : Math.max(0, maxCalls - attemptsBefore)
  const groups = repeats > 1 ? groupRepeats(threads) : threads.map((thread) => groupAlike(thread, 1))
  const estimated = estimateParts(groups, rules, callsLeft).total.calls
  const calls =
    isResumed && target.sandbox ? withForgotten(estimated, forgottenCalls(threads, options).calls) : estimated
  if (calls.base === 0) return []
  const { pace } = speedOf(target.settings)
  const lines = estimateHead({ calls, quota: estimateQuota(spentOf(calls), quota), pace })
  return alignTable(
    lines.map(({ label, words }) => [label, words]),
    ['left', 'left'],
  )
}

/** What may be forgotten elsewhere is sure to be. */
const withForgotten = (
  { base, restarts, ...rest }: TotalEstimate['calls'],
  more: number,
): TotalEstimate['calls'] => ({
  ...rest,
  base: base + more,
  restarts: restarts - more,
})
