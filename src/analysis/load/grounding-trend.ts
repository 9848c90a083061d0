// Does grounding degrade under load? Conversations of the same thread, begun at different rates, held against each other.
import type { LoadModel } from '../../domain/load/load-options.ts'
import type { GroundingTrend } from '../../domain/load/rate-bands.ts'
import { addPair, emptyStratum, stratifiedTrend, type StratumSums } from '../../stats/stratified-trend.ts'
import type { EndedTurn, OpenTurns } from './open-turns.ts'
import { threadKey } from './thread-key.ts'
import { bandAt, bandsOf, onlyRises, rateAt } from './timetable-rate.ts'

/** Fewer conversations than these, or fewer answers of the rarer kind, tell nothing of a trend. */
const FEWEST_CONVERSATIONS = 20
const FEWEST_RARE = 5
const LEVEL = 0.05

export interface GroundingPairs {
  /** `since`: when the turn was due, milliseconds after the start; `grounded` is undefined where it does not count. */
  add(since: number, ended: EndedTurn, grounded: boolean | undefined): void
  finish(): GroundingTrend
}

interface Conversation {
  readonly rate: number
  turns: number
  answered: number
  grounded: number
}

/**
 * A pair is a conversation: the rate as it began, and how many of its answers were grounded; turns of one conversation
 * move together and so must not count as several. Its stratum is its thread, and how many answers it got: what the
 * threads are about, and conversations that were cut short, then cannot feign a trend.
 */
export function createGroundingPairs(
  model: LoadModel,
  { threadOf, lengthOf }: Pick<OpenTurns, 'threadOf' | 'lengthOf'>,
): GroundingPairs {
  const open = new Map<number, Conversation>()
  const strata = new Map<string, StratumSums>()
  const edges = bandsOf(model)
  const shares = edges.map((band) => ({ band, answered: 0, grounded: 0 }))
  const seen = { conversations: 0, answered: 0, grounded: 0, lowest: Infinity, highest: -Infinity }

  const close = (thread: number, { rate, answered, grounded }: Conversation): void => {
    if (answered === 0) return
    const key = `${thread} ${answered}`
    let sums = strata.get(key)
    if (sums === undefined) strata.set(key, (sums = emptyStratum()))
    addPair(sums, rate, grounded)
    const share = shares[bandAt(edges, rate) ?? -1]
    if (share !== undefined) {
      share.answered += answered
      share.grounded += grounded
    }
    seen.conversations += 1
    seen.answered += answered
    seen.grounded += grounded
    seen.lowest = Math.min(seen.lowest, rate)
    seen.highest = Math.max(seen.highest, rate)
  }

  return {
    add: (since, { turn, outcome }, grounded) => {
      // Users who loop have no rate.
      if (edges.length === 0) return
      const thread = threadOf(turn.question)
      const key = threadKey(thread, turn.repeat)
      const rate = turn.opens ? rateAt(model, since) : undefined
      const begun = rate === undefined ? undefined : { rate, turns: 0, answered: 0, grounded: 0 }
      const conversation = begun ?? open.get(key)
      if (conversation === undefined) return
      conversation.turns += 1
      if (grounded !== undefined) conversation.answered += 1
      if (grounded === true) conversation.grounded += 1
      const isOver = outcome !== 'answered' || conversation.turns >= lengthOf(thread)
      if (!isOver) open.set(key, conversation)
      else {
        open.delete(key)
        close(thread, conversation)
      }
    },
    finish: () => {
      const { conversations, answered, grounded, lowest, highest } = seen
      const trend = stratifiedTrend(strata.values())
      const known = {
        lowest: conversations === 0 ? null : lowest,
        highest: conversations === 0 ? null : highest,
        conversations,
        onlyRose: onlyRises(model),
      }
      const isRare = Math.min(grounded, answered - grounded) < FEWEST_RARE
      const hasMoved = trend !== undefined && trend.z !== 0
      const asked = shares.filter((share) => share.answered > 0)
      const [low, high] = [asked[0], asked.length > 1 ? asked.at(-1) : undefined]
      const isUntold = conversations < FEWEST_CONVERSATIONS || (hasMoved && isRare)
      if (trend === undefined || isUntold || low === undefined || high === undefined)
        return { verdict: 'untested', p: null, change: null, between: null, ...known }
      const { p, slope } = trend
      const verdict = p >= LEVEL ? 'none' : slope < 0 ? 'falls' : 'rises'
      // What was seen, not the slope drawn out over the range: a line knows no bounds.
      const change = high.grounded / high.answered - low.grounded / low.answered
      return { verdict, p, change, between: { low: low.band, high: high.band }, ...known }
    },
  }
}
