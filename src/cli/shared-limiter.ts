// The limiter of an organization whose processes share its limit through Redis. Loaded only where that is asked for.
import { createHash, randomBytes } from 'node:crypto'
import type { Limiter } from '../pace/limiter.ts'
import { createParticipant } from '../pace/shared/participant.ts'
import type { Rules } from '../pace/shared/protocol.ts'
import { connectBus, type RedisAddress } from '../pace/shared/redis-bus.ts'
import { realClock } from './clock.ts'
import { describeRedisLoss, describeRedisTrouble } from './redis-trouble.ts'
import { placeOf } from './redis-address.ts'
import { UsageError } from '../library/usage-error.ts'

export interface SharedOptions {
  readonly address: RedisAddress
  readonly organization: string
  readonly rules: Rules
  /** Tells the user. */
  readonly say: (line: string) => void
}

/** Throws UsageError where Redis cannot be used. */
export async function openSharedLimiter(
  options: SharedOptions,
): Promise<{ readonly limiter: Limiter; readonly leave: () => Promise<void> }> {
  const { address, rules, say } = options
  const organization = createHash('sha256').update(options.organization).digest('hex').slice(0, 32)
  const id = randomBytes(8).toString('hex')
  const lost = new AbortController()
  /** Told already. */
  const troubles = new Set<string>()
  try {
    const bus = await connectBus({ address, organization, id })
    const participant = createParticipant({
      id,
      bus,
      clock: realClock,
      random: Math.random,
      rules,
      onLost: (words) => {
        say(`${words} (${placeOf(address)})`)
        lost.abort(words)
      },
      onTrouble: (error) => {
        const trouble = describeRedisLoss(error, address)
        if (trouble === undefined || troubles.has(trouble)) return
        troubles.add(trouble)
        say(trouble)
      },
    })
    try {
      await participant.join()
    } catch (error) {
      await participant.leave()
      throw error
    }
    say(`Limiter: ${participant.standing() ?? 'shared through Redis'} (${placeOf(address)})`)
    return {
      limiter: { ...participant.limiter, lost: lost.signal },
      leave: async () => participant.leave(),
    }
  } catch (error) {
    throw new UsageError(`--limiter redis: ${describeRedisTrouble(error, address)}`)
  }
}
