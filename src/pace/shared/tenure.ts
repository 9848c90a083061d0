// The conductor that this process is while it holds the lease: what it says goes out through Redis, and ends where the lease is lost.
import type { Clock } from '../../domain/clock.ts'
import type { Bus } from './bus.ts'
import { createConductor, type Conductor } from './conductor.ts'
import { takeOffice, type Known } from './office.ts'
import type { Status, ToConductor } from './protocol.ts'

export interface TenurePorts {
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly random: () => number
  /** Another holds the lease, or nobody. */
  readonly onDeposed: () => void
}

export interface Tenure {
  /** How things stand by this conductor; undefined while this process is none. */
  status(): Status | undefined
  /** A lease was won. `known`: the latest that is known; `witnessed`: what this process was told before, by Redis. */
  begin(term: string, known: Known | undefined, witnessed: Status | undefined): void
  receive(message: ToConductor): void
  end(): void
}

export function createTenure({ bus, clock, random, onDeposed }: TenurePorts): Tenure {
  let office: Conductor | undefined
  const end = (): void => {
    office?.close()
    office = undefined
  }
  const publish = async (term: string, to: string, message: object, kept?: string): Promise<void> => {
    const receivers = await bus.publish(term, to, JSON.stringify(message), kept)
    if (office?.status().term !== term) return
    if (receivers === 'deposed') {
      end()
      onDeposed()
    } else if (receivers === 0 && to !== 'all') office.drop(to)
  }
  return {
    status: () => office?.status(),
    begin: (term, known, witnessed) => {
      end()
      office = createConductor(takeOffice(term, known, witnessed, clock.now()), {
        clock,
        random,
        grant: (to, grant) => void publish(term, to, grant).catch(ignore),
        tell: (status) => void publish(term, 'all', status, JSON.stringify(status)).catch(ignore),
      })
    },
    receive: (message) => office?.receive(message),
    end,
  }
}

/** What Redis did not take is told again, or is seen by what does not come. */
const ignore = (): void => undefined
