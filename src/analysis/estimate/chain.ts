// A thread as far as it matters before it is asked: its turns, and where it stands.
import type { Question } from '../../domain/question.ts'

export interface Chain {
  readonly turns: readonly [ChainTurn, ...ChainTurn[]]
  /** Place in `turns` of the turn to ask; their number where none is left. */
  readonly next: number
  /** Goes on with a conversation of an earlier sitting, which the endpoint may have forgotten. */
  readonly resumed: boolean
  /** Whether the sitting's one restart is used up. */
  readonly restarted: boolean
}

interface ChainTurn {
  /** Number of the question in the run. */
  readonly index: number
  readonly question: Question
}

export const turnsLeft = ({ turns, next }: Chain): number => turns.length - next

const isFresh = ({ next, resumed, restarted }: Chain): boolean => next === 0 && !resumed && !restarted

/** The same thread, as often as it is asked. */
export interface ThreadGroup {
  readonly repeats: readonly [Chain, ...Chain[]]
  /** How many repeats each of these stands for. */
  readonly times: number
  /** Whether nothing of it was asked before. */
  readonly isFresh: boolean
}

/** Of repeats that all stand as this one does. */
export const groupAlike = (chain: Chain, times: number): ThreadGroup => ({
  repeats: [chain],
  times,
  isFresh: isFresh(chain),
})

/** In the order of the set. */
export function groupRepeats(chains: Iterable<Chain>): ThreadGroup[] {
  const groups = new Map<number, [Chain, ...Chain[]]>()
  for (const chain of chains) {
    const first = chain.turns[0].index
    const members = groups.get(first)
    if (members === undefined) groups.set(first, [chain])
    else members.push(chain)
  }
  return [...groups.values()].map((repeats) => ({ repeats, times: 1, isFresh: repeats.every(isFresh) }))
}
