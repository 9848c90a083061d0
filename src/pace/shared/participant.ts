// One process of an organization: a member always, its conductor while it holds the lease, and on its own without Redis.
import type { Clock } from '../../domain/clock.ts'
import type { Limiter } from '../limiter.ts'
import { fenceOf, type Bus, type Claim } from './bus.ts'
import { shareWords } from './conductor.ts'
import { describeJoining } from './joining.ts'
import { withGreeting } from './greeting.ts'
import { createMember } from './member.ts'
import { readPublished, type Known } from './office.ts'
import { oneAtATime } from './one-at-a-time.ts'
import {
  parseMessage,
  toConductorSchema,
  toMemberSchema,
  type Rules,
  type Status,
  type ToConductor,
} from './protocol.ts'
import { createTenure } from './tenure.ts'
import { GRACE_MS, TICK_MS, UNANSWERED_MS } from './times.ts'

export interface ParticipantOptions {
  readonly id: string
  readonly bus: Bus
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly random: () => number
  readonly rules: Rules
  /** Told when Redis is lost: what is done, as a sentence. */
  readonly onLost: (words: string) => void
  /** Told, while Redis is lost, what it or the network says whenever it is looked for in vain. */
  readonly onTrouble: (error: unknown) => void
}

export interface Participant {
  readonly limiter: Limiter
  /** How things stand, in words; undefined before it has joined. */
  standing(): string | undefined
  /** Resolves once a conductor has told how things stand. Rejects where Redis fails before that. */
  join(): Promise<void>
  leave(): Promise<void>
}

export function createParticipant(options: ParticipantOptions): Participant {
  const { bus, clock, random } = options
  const member = createMember(options)
  const tenure = createTenure({ bus, clock, random, onDeposed: () => claim() })
  let term = ''
  let highest = 0
  let suspect: string | undefined
  /** The last that a conductor by Redis told, and when. */
  let last: { readonly status: Status; readonly at: number } | undefined
  let answeredAt = clock.now()
  let closed = false
  /** For good: the run stops, and can be resumed. */
  let isLost = false
  /** While it joins, a failure is told at once. */
  let joined: ((failure?: unknown) => void) | undefined
  /** Any conductor. */
  let hasHeard = false
  let cancelTick: (() => void) | undefined
  let cancelGrace: (() => void) | undefined

  const ignore = (): void => undefined

  const send = (message: ToConductor): void => {
    const to = term
    bus.send(to, JSON.stringify(message)).then((receivers) => {
      // Nothing of the conductor is left: its successor need not wait for the lease to end.
      if (receivers > 0 || to !== term || closed) return
      suspect = to
      claim()
    }, ignore)
  }
  const follow = (next: string): void => {
    term = next
    highest = Math.max(highest, fenceOf(next))
    suspect = undefined
    if (tenure.status()?.term !== next) tenure.end()
    member.follow(next, send)
  }
  const begin = (next: string, published: Claim['published']): void => {
    const own: Known | undefined = last && { status: last.status, ageMs: clock.now() - last.at }
    const read = readPublished(published)
    const latest = own !== undefined && (read === undefined || own.ageMs <= read.ageMs) ? own : read
    // Who was there is a fresh witness however long Redis was away.
    tenure.begin(next, latest, own?.status)
  }

  /** The answers of two at once could come to different ends. */
  const claim = oneAtATime(async () => {
    if (closed) return
    try {
      const asked = suspect
      suspect = undefined
      const won = await bus.claim(highest, asked, tenure.status()?.term)
      answeredAt = clock.now()
      if (closed || isLost) return
      if (won.isNew) begin(won.term, won.published)
      if (won.term !== term) follow(won.term)
    } catch (error) {
      joined?.(error)
      if (clock.now() - answeredAt > UNANSWERED_MS) lose()
      if (isLost && !closed) options.onTrouble(error)
    }
  })

  const tick = (): void => {
    cancelTick = clock.after(TICK_MS, tick)
    claim()
    member.beat()
  }

  const lose = (): void => {
    if (closed || isLost || last === undefined) return
    isLost = true
    tenure.end()
    options.onLost('Redis is lost: nothing more is sent')
  }

  const onText = (text: string): void => {
    if (closed || text === '') return
    const toConductor = parseMessage(toConductorSchema, text)
    if (toConductor !== undefined) {
      tenure.receive(toConductor)
      return
    }
    const message = parseMessage(toMemberSchema, text)
    if (message === undefined || isLost) return
    if (message.kind === 'vacant') {
      claim()
      return
    }
    // A term that began after the last look at the lease.
    if (message.term !== term && fenceOf(message.term) > fenceOf(term)) follow(message.term)
    if (message.term === term && message.kind === 'status' && message.processes > 0) {
      last = { status: message, at: clock.now() }
      // Another's first word that it is alone was said before it heard of this one: its next is waited for.
      if (hasHeard || message.processes > 1 || tenure.status()?.term === term) joined?.()
      hasHeard = true
    }
    member.receive(message)
  }

  const standing = (): string | undefined => {
    const status = member.status()
    if (status === undefined) return undefined
    const begun =
      tenure.status()?.term === status.term ? status.begun : describeJoining(status, options.rules.perSecond)
    return `${shareWords(status.processes)} through Redis; ${begun}`
  }

  bus.onMessage(onText)
  bus.onConnection((isUp) => {
    cancelGrace?.()
    cancelGrace = undefined
    if (isUp) claim()
    else if (!closed) cancelGrace = clock.after(GRACE_MS, lose)
  })

  return {
    limiter: withGreeting(member.limiter, standing),
    standing,
    join: async () => {
      let cancel: (() => void) | undefined
      const told = new Promise<void>((resolve, reject) => {
        joined = (failure) => (failure === undefined ? resolve() : reject(failure))
        cancel = clock.after(2 * UNANSWERED_MS, () => reject(new Error('no process paces its calls')))
      })
      tick()
      await told.finally(() => cancel?.())
      joined = undefined
    },
    leave: async () => {
      if (closed) return
      const status = tenure.status()
      member.leave()
      closed = true
      cancelTick?.()
      cancelGrace?.()
      tenure.end()
      member.limiter.close()
      if (status !== undefined && !isLost) {
        const left = { ...status, processes: Math.max(0, status.processes - 1) }
        await bus.release(status.term, JSON.stringify(left)).catch(ignore)
      }
      await bus.close()
    },
  }
}
