// Picks out of a run's questions the gaps: answered, but not grounded.
import { isGrounded, type TurnRecord } from '../../domain/turn.ts'
import { threadKey } from '../fold.ts'
import type { GapItem } from './cluster.ts'

/** Sorting keeps the order of equally heavy ones. */
const heaviestOf = (items: GapItem[], most: number): GapItem[] =>
  items.length <= most ? items : items.toSorted((a, b) => b.weight - a.weight).slice(0, most)

/** One item a question; it weighs as often as its answers were not grounded: 1 in 3 repeats weighs a third. At most `most` are kept. */
export function createGapGatherer(groundedSources: readonly string[], most: number) {
  let opening = { thread: '', message: '' }
  let count = 0
  let items: GapItem[] = []
  return {
    /** The repeats of one question; questions in the order of the set, those of a thread one after the other. */
    add: (repeats: readonly TurnRecord[]): void => {
      const [first] = repeats
      if (first === undefined) return
      const { id, message, tags, turn, expect } = first.question
      const thread = threadKey(first.question)
      if (turn === 1) opening = { thread, message }
      // The set says itself that no article should answer: nothing to write.
      if (expect?.source !== undefined && groundedSources.includes(expect.source.value) === expect.source.not)
        return
      const grounded = repeats.map((repeat) => isGrounded(repeat, groundedSources))
      const gaps = grounded.filter((value) => value === false).length
      if (gaps === 0) return
      const weight = gaps / grounded.filter((value) => value !== undefined).length
      const isFollowUp = turn > 1 && opening.thread === thread
      count += 1
      items.push({ id, message, tags, weight, ...(isFollowUp ? { context: opening.message } : {}) })
      if (items.length >= 2 * most) items = heaviestOf(items, most)
    },
    /** The heaviest, of equally heavy ones those that came first; and how many there are in all. */
    finish: () => ({ heaviest: heaviestOf(items, most), count }),
  }
}
