// `--until-decided`: the order in which a run sends, and what tells it that its verdict is certain.
import { judgingOf, lateGates } from '../analysis/gates/decided.ts'
import { createDecider, type Decider } from '../analysis/gates/decider.ts'
import type { Repeats } from '../analysis/repeats.ts'
import type { RunManifest } from '../options/manifest.ts'
import { optionError } from '../options/faults.ts'
import type { ThreadState } from '../runner/thread-state.ts'
import { createRandomStreams } from '../stats/random.ts'

/**
 * Gives the conversations in the order of sending; without a `decider` the run sends everything. `recorded`
 * are the questions of earlier sessions. Throws UsageError for a shard, which cannot know what the others
 * find.
 */
export function untilDecided(
  { options, shard }: RunManifest,
  threads: readonly ThreadState[],
  note: (text: string) => void,
  recorded: Iterable<Repeats> = [],
): { readonly threads: readonly ThreadState[]; readonly decider: Decider | undefined } {
  if (!options.untilDecided) return { threads, decider: undefined }
  if (shard !== undefined)
    throw optionError(
      'untilDecided',
      'cannot be used with a shard: only merge judges the whole; leave it out',
    )
  const judging = judgingOf(options)
  const late = lateGates(judging)
  if (late !== undefined) note(late)
  const decider = createDecider(judging, recorded)
  return { threads: inDecidingOrder(threads, options.seed), decider }
}

/** Conversations with a `must_pass` question in their own order, then the others in random order. */
function inDecidingOrder(threads: readonly ThreadState[], seed: number): ThreadState[] {
  const streamOf = createRandomStreams(seed)
  const keys = new Map(
    threads.map(({ order, turns }) => [
      order,
      turns.some(({ question }) => question.mustPass) ? order - threads.length : streamOf(order)(),
    ]),
  )
  const ranks = new Map([...keys].sort(([, a], [, b]) => a - b).map(([order], rank) => [order, rank]))
  return threads.map((thread) => ({ ...thread, order: ranks.get(thread.order) ?? thread.order }))
}
