// What one policy has found out about its limit, and how often it met it: told with the pace, and handed on to the next policy.
import type { InferredLimit } from '../domain/limit.ts'
import type { Admissions } from './admissions.ts'
import type { CapacityMeter } from './capacity.ts'
import type { InFlightLimit } from './in-flight-limit.ts'
import type { Learned, Met } from './learned.ts'
import { createLimitLog, type LimitLog } from './limit-description.ts'
import { recentOf } from './recollection.ts'
import type { SendingPace } from './sending-pace.ts'

export interface Evidence extends Pick<LimitLog, 'onOpening'> {
  /** A call was refused. */
  onRefusal(): void
  /** With it the limit was met anew. */
  onEpisode(): void
  /** Undefined while the limit has shown nothing of what it lets through. */
  describe(): InferredLimit | undefined
  learned(now: number): Learned
}

export interface EvidenceSources {
  readonly admissions: Admissions
  readonly meter: Pick<CapacityMeter, 'memoryMs' | 'openedAt'>
  readonly inFlightLimit: Pick<InFlightLimit, 'cap'>
  readonly speed: SendingPace
  /** How often the limit was met before this policy went on. */
  readonly before: Met | undefined
}

export function createEvidence({
  admissions,
  meter,
  inFlightLimit,
  speed,
  before,
}: EvidenceSources): Evidence {
  const log = createLimitLog(admissions)
  let { episodes, refusals } = before ?? { episodes: 0, refusals: 0 }

  const describe = (): InferredLimit | undefined =>
    log.describe({
      capacity: speed.capacity,
      memoryMs: meter.memoryMs,
      cap: inFlightLimit.cap,
      isStated: speed.isStated,
      episodes,
      refusals,
    })

  return {
    onOpening: (opening) => log.onOpening(opening),
    onRefusal: () => {
      refusals += 1
    },
    onEpisode: () => {
      episodes += 1
    },
    describe,
    learned: (now) => ({
      pace: speed.perSecond,
      capacity: speed.isMet ? speed.capacity : undefined,
      sustained: describe()?.perSecond ?? speed.wentOnFrom?.sustained,
      memoryMs: meter.memoryMs,
      atOnce: inFlightLimit.cap < Infinity ? inFlightLimit.cap : undefined,
      recent: recentOf(admissions, meter.openedAt, now),
      met: { episodes, refusals },
    }),
  }
}
