// Processes of one organization in virtual time: each asks as fast as it may, against one bucket.
import type { Limiter, Permit } from '../../src/pace/limiter.ts'
import { createParticipant, type Participant } from '../../src/pace/shared/participant.ts'
import type { Rules } from '../../src/pace/shared/protocol.ts'
import { createMemoryRedis, type MemoryRedis } from './memory-bus.ts'
import { bucketOf } from './paced-bucket.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface Asked {
  readonly process: string
  readonly at: number
  readonly isTaken: boolean
}

export interface Cluster {
  readonly clock: VirtualClock
  readonly redis: MemoryRedis
  readonly asked: Asked[]
  /** What was said of Redis, by which process. */
  readonly said: string[]
  join(id: string, rules?: Partial<Rules>): Promise<ClusterProcess>
}

export interface ClusterProcess {
  readonly participant: Participant
  readonly limiter: Limiter
  /** Asks without a break, so many at once, until told otherwise. */
  work(): void
  rest(): void
  die(): void
}

const ANSWER_MS = 200

/**
 * Random numbers from a seed, for delays: the same each time. `limit`: calls a second, or who takes a call. `coldMs`: by how
 * much the first call of a process is late at most, which opens its connection; the others by a hundredth.
 */
export function createCluster(
  limit: number | ((now: number) => boolean),
  seed = 1,
  { coldMs = 0 }: { readonly coldMs?: number } = {},
): Cluster {
  const clock = new VirtualClock()
  let state = seed
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  const redis = createMemoryRedis(clock, random)
  const take = typeof limit === 'number' ? bucketOf(limit, limit) : limit
  const asked: Asked[] = []
  const said: string[] = []

  return {
    clock,
    redis,
    asked,
    said,
    join: async (id, rules = {}) => {
      let isDead = false
      // A dead process has no timers: those of a living clock would go on for it.
      const own = {
        now: () => clock.now(),
        after: (ms: number, run: () => void) => clock.after(ms, () => (isDead ? undefined : run())),
      }
      const participant = createParticipant({
        id,
        bus: redis.join(id),
        clock: own,
        random,
        rules: { perSecond: undefined, concurrency: undefined, share: 1, ...rules },
        onLost: () => said.push(`${id}: lost`),
        onTrouble: () => undefined,
      })
      await clock.runUntil(participant.join())
      let pause = new AbortController()
      let lateMs = coldMs
      const arrive = (permit: Permit): void => {
        if (isDead) return
        const at = clock.now()
        const isTaken = take(at)
        asked.push({ process: id, at, isTaken })
        clock.after(isTaken ? ANSWER_MS : 10, () => {
          if (!isDead)
            permit.settle(
              isTaken
                ? { kind: 'accepted', lateMs: at - permit.grantedAt }
                : { kind: 'rateLimited', namedMs: undefined },
            )
        })
      }
      const loop = async (signal: AbortSignal): Promise<void> => {
        for (;;) {
          const permit = await participant.limiter.acquire(signal)
          if (permit === undefined || isDead) return
          if (lateMs === 0) arrive(permit)
          else clock.after(lateMs * random(), () => arrive(permit))
          lateMs = coldMs / 100
        }
      }
      return {
        participant,
        limiter: participant.limiter,
        work: () => {
          pause = new AbortController()
          void loop(pause.signal)
        },
        rest: () => pause.abort(),
        die: () => {
          isDead = true
          redis.kill(id)
        },
      }
    },
  }
}
