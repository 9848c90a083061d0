// Limiters of the sandbox with parameters drawn at random.
import { seededRandom } from '../../../src/stats/random.ts'
import { fixedWindow, gcra, slidingWindow, tokenBucket, type Scenario } from './scenarios.ts'

/** A budget that lets a limit be used up some five times. */
const budgetFor = (size: number): number => Math.max(600, 5 * size)

export function drawScenarios(seeds: readonly number[]): Scenario[] {
  return seeds.flatMap((seed) => {
    const random = seededRandom(seed)
    const between = (low: number, high: number): number => low * (high / low) ** random()
    const seconds = Math.round(between(1, 120))
    // Never faster than what the search may send in the long run.
    const limit = Math.max(2, Math.round(Math.min(between(3, 250), 15 * seconds)))
    const perSecond = Number(between(0.5, 12).toPrecision(2))
    const size = Math.round(between(1, 80))
    return [
      fixedWindow(limit, seconds, budgetFor(limit)),
      slidingWindow(limit, seconds, budgetFor(limit)),
      tokenBucket(perSecond, size, budgetFor(size)),
      gcra(perSecond, Math.max(1, Math.round(size / 4)), budgetFor(size)),
    ]
  })
}
