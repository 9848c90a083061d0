// Picks out of a run's questions the gaps: answered, but not grounded.
import { isGrounded, type TurnRecord } from '../../domain/turn.ts'
import { threadKey } from '../fold.ts'
import type { GapItem } from './cluster.ts'

export interface GapGatherer {
  /** The repeats of one question; questions in the order of the set. */
  add(repeats: readonly TurnRecord[]): void
  /** The heaviest, at most so many, of equally heavy ones those that came first; and how many there are in all. */
  finish(most: number): { readonly heaviest: readonly GapItem[]; readonly count: number }
}

/** One item a question; it weighs as often as its answers were not grounded: 1 in 3 repeats weighs a third. */
export function createGapGatherer(groundedSources: readonly string[]): GapGatherer {
  const openings = new Map<string, string>()
  const items: GapItem[] = []
  return {
    add: (repeats) => {
      const [first] = repeats
      if (first === undefined) return
      const { question } = first
      const { id, message, tags, expect } = question
      if (question.turn === 1) openings.set(threadKey(question), message)
      // The set says itself that no article should answer: nothing to write.
      if (expect?.source !== undefined && groundedSources.includes(expect.source.value) === expect.source.not)
        return
      const grounded = repeats.map((turn) => isGrounded(turn, groundedSources))
      const gaps = grounded.filter((value) => value === false).length
      if (gaps === 0) return
      const weight = gaps / grounded.filter((value) => value !== undefined).length
      const opening = question.turn === 1 ? undefined : openings.get(threadKey(question))
      items.push({ id, message, tags, weight, ...(opening === undefined ? {} : { context: opening }) })
    },
    finish: (most) => {
      const isAll = items.length <= most
      const heaviest = isAll ? items : items.toSorted((a, b) => b.weight - a.weight).slice(0, most)
      return { heaviest, count: items.length }
    },
  }
}
