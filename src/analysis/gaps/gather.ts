// Picks out of a run's questions the gaps: answered, but not grounded.
import { isGrounded, type TurnRecord } from '../../domain/turn.ts'
import { threadKey } from '../fold.ts'
import type { GapItem } from './cluster.ts'

export interface GapGatherer {
  /** The repeats of one question; questions in the order of the set, those of a thread one after the other. */
  add(repeats: readonly TurnRecord[]): void
  /** The heaviest, of equally heavy ones those that came first; and how many there are in all. */
  finish(): { readonly heaviest: readonly GapItem[]; readonly count: number }
}

const heaviestOf = (items: GapItem[], most: number): GapItem[] =>
  items.length <= most ? items : items.toSorted((a, b) => b.weight - a.weight).slice(0, most)

/** One item a question; it weighs as often as its answers were not grounded: 1 in 3 repeats weighs a third. At most `most` are kept. */
export function createGapGatherer(groundedSources: readonly string[], most: number): GapGatherer {
  let opening = { thread: '', message: '' }
  let count = 0
  let items: GapItem[] = []
  return {
    add: (repeats) => {
      const [first] = repeats
      if (first === undefined) return
      const { question } = first
      const { id, message, tags, expect } = question
      const thread = threadKey(question)
      if (question.turn === 1) opening = { thread, message }
      // The set says itself that no article should answer: nothing to write.
      if (expect?.source !== undefined && groundedSources.includes(expect.source.value) === expect.source.not)
        return
      const grounded = repeats.map((turn) => isGrounded(turn, groundedSources))
      const gaps = grounded.filter((value) => value === false).length
      if (gaps === 0) return
      const weight = gaps / grounded.filter((value) => value !== undefined).length
      const isFollowUp = question.turn > 1 && opening.thread === thread
      count += 1
      items.push({ id, message, tags, weight, ...(isFollowUp ? { context: opening.message } : {}) })
      // Sorting keeps the order of equally heavy ones.
      if (items.length >= 2 * most) items = heaviestOf(items, most)
    },
    finish: () => ({ heaviest: heaviestOf(items, most), count }),
  }
}
