// The order in which `--until-decided` sends, and what tells it that the verdict is certain.
import { judgingOf, lateGates } from '../analysis/judging/decided.ts'
import { createDecider } from '../analysis/judging/decider.ts'
import type { Repeats } from '../analysis/figures/repeats.ts'
import type { RecordedOptions } from '../options/manifest.ts'
import type { ThreadState } from '../runner/thread-state.ts'
import { createRandomStreams } from '../stats/random.ts'

/** Puts conversations with a `must_pass` question first, in their own order, then the others at random. */
export function untilDecided(
  options: RecordedOptions,
  threads: readonly ThreadState[],
  recorded: Iterable<Repeats>,
) {
  const judging = judgingOf(options)
  const streamOf = createRandomStreams(options.seed)
  const keys = threads.map(({ order, turns }): [number, number] => [
    order,
    turns.some(({ question }) => question.mustPass) ? order - threads.length : streamOf(order)(),
  ])
  // Repeats of a conversation keep one rank.
  const sorted = [...new Map(keys)].sort(([, a], [, b]) => a - b)
  const ranks = new Map(sorted.map(([order], rank) => [order, rank]))
  return {
    threads: threads.map((thread) => ({ ...thread, order: ranks.get(thread.order) ?? thread.order })),
    decider: createDecider(judging, recorded),
    late: lateGates(judging),
  }
}
