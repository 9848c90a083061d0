// Which threshold explains the most fates: let through up to it, refused above it. One pass, whatever the number of thresholds.
import type { Calls } from './calls.ts'
import type { Levels } from './levels.ts'

export interface Cut {
  /** The limit: so many are let through. */
  readonly threshold: number
  /** The thresholds that explain nearly as much. */
  readonly low: number
  readonly high: number
  /** Calls whose fate is wrong, though the network may have moved them; each by its weight. */
  readonly wrongPassed: number
  readonly wrongRefused: number
  /** What is compared: wrong fates, with a small part for those that only the network excuses. */
  readonly cost: number
}

/** A fate that the network must excuse is a tenth of a wrong one. */
const EXCUSED = 0.1
/** Thresholds this much worse than the best are not ruled out. */
export const NEARLY_AS_GOOD = 1
const NEARLY = 1e-6

export function bestCut(calls: Calls, { bound, middle }: Levels): Cut {
  const { count, refused, weight } = calls
  const size = highest(calls, bound, middle) + 2
  // Changes of the number of wrong fates as the threshold rises.
  const passedHard = new Float64Array(size + 1)
  const refusedHard = new Float64Array(size + 1)
  const soft = new Float64Array(size + 1)
  let passed = 0
  for (let i = 0; i < count; i += 1) {
    const hardAt = Math.ceil((bound[i] ?? 0) - NEARLY)
    const softAt = Math.ceil((middle[i] ?? 0) - NEARLY)
    if (refused[i] === 1) {
      const own = weight[i] ?? 1
      refusedHard[hardAt] = (refusedHard[hardAt] ?? 0) + own
      soft[softAt] = (soft[softAt] ?? 0) + own
    } else {
      passed += 1
      passedHard[hardAt] = (passedHard[hardAt] ?? 0) + 1
      soft[softAt] = (soft[softAt] ?? 0) - 1
    }
  }
  const costs = new Float64Array(size)
  let [best, wrongPassed, wrongRefused, softly] = [1, passed, 0, passed]
  let atBest = { wrongPassed, wrongRefused }
  for (let threshold = 1; threshold < size; threshold += 1) {
    wrongPassed -= passedHard[threshold] ?? 0
    wrongRefused += refusedHard[threshold] ?? 0
    softly += soft[threshold] ?? 0
    costs[threshold] = wrongPassed + wrongRefused + EXCUSED * softly
    if (threshold > 1 && (costs[threshold] ?? 0) >= (costs[best] ?? 0) - 1e-9) continue
    best = threshold
    atBest = { wrongPassed, wrongRefused }
  }
  const cost = costs[best] ?? 0
  let [low, high] = [best, best]
  while (low > 1 && (costs[low - 1] ?? 0) < cost + NEARLY_AS_GOOD) low -= 1
  while (high + 1 < size && (costs[high + 1] ?? 0) < cost + NEARLY_AS_GOOD) high += 1
  return { threshold: best, low, high, ...atBest, cost }
}

function highest(calls: Calls, bound: Float64Array, middle: Float64Array): number {
  let most = 1
  for (let i = 0; i < calls.count; i += 1) most = Math.max(most, bound[i] ?? 0, middle[i] ?? 0)
  return Math.ceil(most)
}
