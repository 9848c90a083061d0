// What a run says before it starts: calls, share of the allowance, and no sooner than when it can be done.
import { estimateParts } from '../../analysis/estimate/calls.ts'
import { groupAlike, groupRepeats, type ThreadGroup } from '../../analysis/estimate/chain.ts'
import { estimateQuota, spentOf } from '../../analysis/estimate/use.ts'
import { Groups } from '../../columns/groups.ts'
import type { Sequence } from '../../columns/sequence.ts'
import type { TotalEstimate } from '../../domain/estimate.ts'
import { estimateHead } from '../../report/estimate-head.ts'
import { alignTable } from '../../report/table.ts'
import { firstTurn, holdTurns, type ThreadState } from '../../runner/thread-state.ts'
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
  const estimated = estimateParts(groupsOf(threads, repeats), rules, callsLeft).total.calls
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

/** One thread after the other, as often as it is asked: of a large set no more than one is held. */
function* groupsOf(threads: Sequence<ThreadState>, repeats: number): Generator<ThreadGroup> {
  if (repeats > 1) yield* groupsOfRepeats(threads)
  else for (const thread of threads) yield groupAlike(holdTurns(thread), 1)
}

function* groupsOfRepeats(threads: Sequence<ThreadState>): Generator<ThreadGroup> {
  /** Places of the threads, by the question that they begin with. */
  const places = new Groups()
  let [place, last] = [0, -1]
  for (const thread of threads) {
    const first = firstTurn(thread).index
    places.join(place, first)
    place += 1
    last = Math.max(last, first)
  }
  for (let first = 0; first <= last; first += 1)
    yield* groupRepeats(
      Array.from(places.membersOf(first)).flatMap((member) => {
        const thread = threads.at(member)
        return thread === undefined ? [] : [holdTurns(thread)]
      }),
    )
}
