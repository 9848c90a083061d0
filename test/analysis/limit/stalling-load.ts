// A load test that asks no refused call again, of an endpoint that stalls now and then: what it records of a limit far below
// the rate offered.
import type { CallSeen } from '../../../src/domain/limit.ts'
import type { Limit } from '../../../src/sandbox/limits/models.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import { WALL_AT_ZERO } from './records.ts'

const PER_SECOND = 60
const STALL_EVERY_MS = 700
const STALL_MS = 200

/** What arrives in a stall is seen at its end, in order. */
export function recordOfStalling(limit: Limit, calls: number, seed: number): CallSeen[] {
  const random = seededRandom(seed)
  let [stalledUntil, nextStallAt] = [0, 0]
  return Array.from({ length: calls }, (_, place) => {
    const sentMs = (1000 * place) / PER_SECOND
    const arrivesAt = sentMs + 0.3 + 0.3 * random()
    while (nextStallAt <= arrivesAt) {
      stalledUntil = nextStallAt + STALL_MS * random()
      nextStallAt += STALL_EVERY_MS * (0.5 + random())
    }
    const at = Math.max(arrivesAt, stalledUntil)
    const wall = WALL_AT_ZERO + at
    const passes = limit.nextAt(wall) <= wall
    if (passes) limit.spend(wall)
    const answerMs = passes ? 50 + 100 * random() : 0
    return { sentMs, endedMs: at + 0.3 + 0.3 * random() + answerMs, refused: !passes }
  })
}
