// A load test that asks refused calls again, in virtual time: what it records of a limit far below the rate offered.
import type { CallSeen } from '../../../src/domain/limit.ts'
import type { Limit } from '../../../src/sandbox/limits/models.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import { WALL_AT_ZERO } from './records.ts'

export interface RetryingLoad {
  readonly seed: number
  /** What the endpoint takes for each call of a flood, one after the other. */
  readonly eachMs: number
  /** So many of the calls are late, by up to `strayMs`: others overtake them. */
  readonly strays: number
  readonly strayMs: number
}

const OFFERED_PER_SECOND = 100
const OFFERED_MS = 4000
const GRACE_MS = 30_000
/** As `Retry-After` says it. */
const NAMED_MS = 1000

/** All that wait are asked again in one go once the wait is over. */
export function recordOfRetrying(limits: readonly Limit[], load: RetryingLoad): CallSeen[] {
  const { seed, eachMs, strays, strayMs } = load
  const random = seededRandom(seed)
  const seen: CallSeen[] = []
  let [waiting, openAt, freeAt] = [0, Infinity, 0]
  const send = (now: number): void => {
    const lateMs = random() < strays ? strayMs * random() : 0
    const at = Math.max(freeAt, now + 0.3 + 0.5 * random())
    freeAt = at + eachMs * (0.5 + random())
    const wall = WALL_AT_ZERO + at + lateMs
    const passes = limits.every((limit) => limit.nextAt(wall) <= wall)
    if (passes) for (const limit of limits) limit.spend(wall)
    const answerMs = passes ? 50 + 300 * random() : 0
    const endedMs = freeAt + lateMs + 0.3 + 0.5 * random() + answerMs
    seen.push({ sentMs: now, endedMs, refused: !passes })
    if (passes) return
    openAt = waiting === 0 ? endedMs + NAMED_MS : Math.max(openAt, endedMs + NAMED_MS)
    waiting += 1
  }
  const arrivals = (OFFERED_PER_SECOND * OFFERED_MS) / 1000
  for (let arrived = 0; ;) {
    const arrivesAt = arrived < arrivals ? (1000 * arrived) / OFFERED_PER_SECOND : Infinity
    const now = Math.min(arrivesAt, openAt)
    if (now > OFFERED_MS + GRACE_MS) return seen
    if (arrivesAt <= openAt) {
      arrived += 1
      send(now)
      continue
    }
    const again = waiting
    ;[waiting, openAt] = [0, Infinity]
    for (let nth = 0; nth < again; nth += 1) send(now + nth * 0.05)
  }
}
