// A limit that changed in the middle of the record: two limits, one after the other, explain it far better than one.
import type { CallSeen } from '../../domain/limit.ts'
import { readCalls } from './calls.ts'
import { findClosures } from './closures.ts'
import { fitSingle } from './fit-single.ts'

/** Where a change is looked for, as parts of the record's calls; then around the best, ever closer. */
const PARTS = Array.from({ length: 15 }, (_, nth) => (nth + 1) / 16)
const CLOSER = [0.03, 0.015, 0.0075, 0.00375]
const FEWEST_CALLS = 30
/** Two limits must explain this much better than one: a change is a strong claim. */
const CHANGE_COST = 4
const MUST_SAVE = 0.7

/** The place in the record, which is in the order of sending, of the first call after the change; undefined for none. */
export function findChange(seen: readonly CallSeen[], wallAtZero: number, cost: number): number | undefined {
  const costs = new Map<number, number>()
  const costAt = (part: number): number => {
    const known = costs.get(part)
    if (known !== undefined) return known
    const place = Math.round(part * seen.length)
    const sum = aloneCost(seen.slice(0, place), wallAtZero) + aloneCost(seen.slice(place), wallAtZero)
    costs.set(part, sum)
    return sum
  }
  let best = bestOf(PARTS, costAt)
  for (const step of CLOSER) best = bestOf([best, best - step, best + step], costAt)
  return costAt(best) + CHANGE_COST < MUST_SAVE * cost ? Math.round(best * seen.length) : undefined
}

const bestOf = (parts: readonly number[], costAt: (part: number) => number): number =>
  parts.reduce((best, part) => (costAt(part) < costAt(best) ? part : best))

/** Cost of the best single limit; infinite for a part that is too short to say. */
function aloneCost(seen: readonly CallSeen[], wallAtZero: number): number {
  if (seen.length < FEWEST_CALLS) return Infinity
  const calls = readCalls(seen, wallAtZero)
  const closures = findClosures(calls)
  if (closures.length === 0) return 0
  return fitSingle(calls, closures)[0]?.cost ?? Infinity
}
