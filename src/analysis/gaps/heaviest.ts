// The heaviest of the gaps: as many as can be grouped in a reasonable time, however many there are.
import type { GapItem } from './cluster-gaps.ts'

export interface Gaps {
  /** As many as are kept at most; of equally heavy ones those that came first. */
  readonly heaviest: readonly GapItem[]
  /** All that there were. */
  readonly count: number
}

export interface Heaviest {
  add(item: GapItem): void
  finish(): Gaps
}

/** Holds twice as many as it keeps, at most. */
export function createHeaviest(most: number): Heaviest {
  let items: GapItem[] = []
  let count = 0
  // Sorting is stable: what came first stays first.
  const trim = (): void => {
    if (items.length > most) items = items.sort((a, b) => b.weight - a.weight).slice(0, most)
  }
  return {
    add: (item) => {
      count += 1
      items.push(item)
      if (items.length >= 2 * most) trim()
    },
    finish: () => {
      trim()
      return { heaviest: items, count }
    },
  }
}
