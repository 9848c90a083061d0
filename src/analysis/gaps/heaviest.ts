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

/** By what share more than are kept are held before the lighter ones are let go. */
const MORE = 0.25

export function createHeaviest(most: number): Heaviest {
  let items: GapItem[] = []
  let count = 0
  /** Of those that are kept, once there are as many as can be: what comes later must weigh more. */
  let lightest = Number.NEGATIVE_INFINITY
  // Sorting is stable: what came first stays first.
  const trim = (): void => {
    if (items.length <= most) return
    items = items.sort((a, b) => b.weight - a.weight).slice(0, most)
    lightest = items.at(-1)?.weight ?? lightest
  }
  return {
    add: (item) => {
      count += 1
      if (item.weight <= lightest) return
      items.push(item)
      if (items.length >= (1 + MORE) * most) trim()
    },
    finish: () => {
      trim()
      return { heaviest: items, count }
    },
  }
}
