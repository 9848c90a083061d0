// What a run says before it starts: calls, share of the allowance, and no sooner than when it can be done.
import { estimateParts } from '../../analysis/estimate/calls.ts'
import { groupRepeats } from '../../analysis/estimate/chain.ts'
import { estimateQuota, spentOf } from '../../analysis/estimate/use.ts'
import { estimateHead } from '../../report/estimate-head.ts'
import { alignTable } from '../../report/table.ts'
import type { Sitting } from '../sitting.ts'
import { callRules } from './rules.ts'
import { speedOf } from './pace.ts'

/** Lines without color; nothing is asked for it. */
export function forecast({ threads, manifest, target, attemptsBefore }: Sitting): string[] {
  const { options } = manifest
  const { maxCalls, quota, onAmbiguous, rotatingIds, gates, countRejected } = options
  const rules = callRules({ onAmbiguous, rotatingIds, ...gates })
  const callsLeft = maxCalls === null ? null : Math.max(0, maxCalls - attemptsBefore)
  const { calls } = estimateParts(groupRepeats(threads), rules, callsLeft).total
  // Nothing is left to ask, and nothing to confirm.
  if (calls.base === 0 && calls.worst === 0) return []
  const { pace } = speedOf(target.settings, undefined)
  const lines = estimateHead({ calls, quota: estimateQuota(spentOf(calls), quota), countRejected, pace })
  return alignTable(
    lines.map(({ label, words }) => [label, words]),
    ['left', 'left'],
  )
}
