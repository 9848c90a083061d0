// What a run says before it starts: calls, share of the allowance, and no sooner than when it can be done.
import { estimateParts } from '../../analysis/estimate/calls.ts'
import { groupAlone, groupRepeats, type ThreadGroup } from '../../analysis/estimate/chain.ts'
import { estimateQuota, spentOf } from '../../analysis/estimate/use.ts'
import { estimateHead } from '../../report/estimate-head.ts'
import { alignTable } from '../../report/table.ts'
import { holdTurns, type ThreadState } from '../../runner/thread-state.ts'
import type { Sitting } from '../sitting.ts'
import { callRules } from './rules.ts'
import { speedOf } from './pace.ts'

/** Lines without color; nothing is asked for it. */
export function forecast({ threads, repeats, manifest, target, attemptsBefore }: Sitting): string[] {
  const { options } = manifest
  const { maxCalls, quota, onAmbiguous, rotatingIds, gates, countRejected } = options
  const rules = callRules({ onAmbiguous, rotatingIds, ...gates })
  const callsLeft = maxCalls === null ? null : Math.max(0, maxCalls - attemptsBefore)
  const { calls } = estimateParts(groupsOf(threads, repeats), rules, callsLeft).total
  // Nothing is left to ask, and nothing to confirm.
  if (calls.base === 0 && calls.worst === 0) return []
  const { pace } = speedOf(target.settings, undefined)
  const lines = estimateHead({ calls, quota: estimateQuota(spentOf(calls), quota), countRejected, pace })
  return alignTable(
    lines.map(({ label, words }) => [label, words]),
    ['left', 'left'],
  )
}

/** One thread after the other, where each is asked once: of a large set no more than one is held. */
function* groupsOf(threads: Iterable<ThreadState>, repeats: number): Generator<ThreadGroup> {
  if (repeats > 1) yield* groupRepeats(Array.from(threads, holdTurns))
  else for (const thread of threads) yield groupAlone(holdTurns(thread))
}
