// Whether a series of values has moved to another level, and since when.
import { seededRandom } from './random.ts'

export interface LevelStep {
  /** The first value of the later level. */
  readonly from: number
  /** Means of the values before and since. */
  readonly before: number
  readonly since: number
  /** How often values in a random order show a step as clear as this one. */
  readonly p: number
}

/** A level must hold for so many values: one alone is a step of nothing. */
const SHORTEST = 2
const DRAWS = 4999

/**
 * The split whose means differ most clearly, by |difference of means| · √(k(n−k)/n) (the CUSUM of Page 1955 at its largest, as
 * in Taylor 2000, "Change-Point Analysis"), and its p-value against random orders of the same values. Were nothing changed,
 * all orders would be as likely: so the level holds whatever the values are like, and for the best split of all, as each
 * order is searched in the same way. p counts the order that was seen (Phipson and Smyth 2010). Undefined for fewer than
 * four values, and where all are equal.
 */
export function findLevelStep(values: readonly number[], seed: number): LevelStep | undefined {
  const found = clearest(values)
  if (found === undefined || found.clearness === 0) return undefined
  const random = seededRandom(seed)
  const order = [...values]
  let asClear = 1
  for (let draw = 0; draw < DRAWS; draw += 1) {
    shuffle(order, random)
    // Sums in another order differ in their last digits.
    if ((clearest(order)?.clearness ?? 0) >= found.clearness * (1 - 1e-9)) asClear += 1
  }
  const { from } = found
  return {
    from,
    before: mean(values.slice(0, from)),
    since: mean(values.slice(from)),
    p: asClear / (DRAWS + 1),
  }
}

function clearest(values: readonly number[]): { from: number; clearness: number } | undefined {
  const count = values.length
  if (count < 2 * SHORTEST) return undefined
  const middle = mean(values)
  let [sum, best] = [0, { from: SHORTEST, clearness: 0 }]
  for (const [place, value] of values.entries()) {
    sum += value - middle
    const from = place + 1
    if (from < SHORTEST || from > count - SHORTEST) continue
    const clearness = Math.abs(sum) * Math.sqrt(count / (from * (count - from)))
    if (clearness > best.clearness * (1 + 1e-9)) best = { from, clearness }
  }
  // What rounding leaves of equal values is no step.
  const size = Math.max(...values.map(Math.abs))
  return best.clearness <= 1e-9 * size ? { ...best, clearness: 0 } : best
}

/** Source: Fisher and Yates, as Knuth has it (The Art of Computer Programming, volume 2, 3.4.2, algorithm P). */
function shuffle(values: number[], random: () => number): void {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const kept = values[last] ?? 0
    values[last] = values[other] ?? 0
    values[other] = kept
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
