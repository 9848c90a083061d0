// The conductor of an organization: hears all its processes, runs the one policy for them, and tells them how things stand.
//
// Bottleneck's own clustering is not used: its reservoir in Redis can be shared, but not a pace that is learned. A token
// that this policy lets out could be eaten by another process, whose refusals the policy would never see, while the call
// that it was meant for waits for ever (pitfall 10 of the design notes).
import type { Clock } from '../../domain/clock.ts'
import type { Learned } from '../learned.ts'
import type { Observation } from '../observation.ts'
import type { Closure, PaceChange } from '../policy.ts'
import { createDispatcher } from './dispatcher.ts'
import type { Grant, Night, Rules, Status, ToConductor } from './protocol.ts'
import { createRegime } from './regime.ts'
import { createRoster, hear, reconcile, type GivenPermit } from './roster.ts'
import { STATUS_MS, TICK_MS } from './times.ts'

/** By then every member that lives has shown it, late ones of a busy machine too. */
const SHOWN_MS = 2 * TICK_MS

export interface ConductorPorts {
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly grant: (member: string, grant: Grant) => void
  /** To all members. */
  readonly tell: (status: Status) => void
}

export interface Office {
  /** No two terms have the same name. */
  readonly term: string
  /** How it begins, in words. */
  readonly begun: string
  /** What was known before. */
  readonly learned: Learned | undefined
  /** What another night may begin with where this one learns nothing. */
  readonly night: Night | undefined
  readonly isOtherNight: boolean
  /** Closed by the one before, by our clock. */
  readonly closure: Closure | undefined
  /** How many shared the limit as the one before told last: as many are taken to, until they have had time to speak. */
  readonly processes: number
  /** How many the members were told last that they are, where that is another number: who leaves office counts itself no more; 0 where it is not known. */
  readonly toldProcesses?: number | undefined
  /** Nothing is granted before: who lives still has to say what is under way. */
  readonly gatherMs: number
}

export interface Conductor {
  receive(message: ToConductor): void
  /** A member that nothing reaches any more. */
  drop(member: string): void
  status(): Status
  close(): void
}

export function createConductor(office: Office, { clock, random, grant, tell }: ConductorPorts): Conductor {
  const roster = createRoster()
  const regime = createRegime(office, clock.now(), random)
  const dispatcher = createDispatcher(office.term, { roster, regime, clock, grant })
  let closed = false

  const gatheredAt = clock.now() + (office.processes === 0 ? 0 : SHOWN_MS)
  let toldProcesses = office.toldProcesses ?? office.processes
  const processesAt = (now: number): number =>
    now < gatheredAt ? Math.max(office.processes, roster.seats.size) : roster.seats.size
  const sayProcesses = (): void => {
    const processes = processesAt(clock.now())
    // Before the first of them there is no pace to tell.
    if (processes === toldProcesses || roster.seats.size === 0) return
    toldProcesses = processes
    say({ cause: shareWords(processes) })
  }

  const describe = (change?: Pick<PaceChange, 'cause' | 'limit'>): Status => {
    const now = clock.now()
    const closure = regime.closureAt(now)
    return {
      kind: 'status',
      term: office.term,
      pace: regime.pace,
      closure:
        closure === undefined ? undefined : { sinceMs: now - closure.from, forMs: closure.until - now },
      processes: processesAt(now),
      concurrency: regime.concurrency,
      learned: regime.learnedBy(now),
      night: regime.nightBy(now),
      limit: change?.limit,
      cause: change?.cause,
      begun: office.begun,
    }
  }
  const say = (change: Pick<PaceChange, 'cause' | 'limit'> | undefined): void => {
    if (change !== undefined) tell(describe(change))
  }
  const observe = (permit: GivenPermit | undefined, observation: Observation): void => {
    say(regime.answer(clock.now(), permit, roster.inFlight, observation))
  }
  const rule = (): void => {
    const all = [...roster.seats.values()].map(({ rules }) => rules)
    say(regime.rule(all, clock.now()))
  }

  const drop = (id: string): void => {
    const seat = roster.remove(id)
    if (seat === undefined) return
    for (const permit of seat.permits.values()) observe(permit, { kind: 'nothing' })
    rule()
    sayProcesses()
    dispatcher.pump()
  }

  const onBeat = (beat: Extract<ToConductor, { kind: 'beat' }>, now: number): void => {
    const isNew = !roster.seats.has(beat.from)
    const seat = roster.seat(beat, now)
    for (const permit of reconcile(seat, beat, now)) observe(permit, { kind: 'nothing' })
    hear(seat, beat, now)
    const isChanged = isNew || !isSame(seat.rules, beat.rules)
    seat.rules = beat.rules
    if (isChanged) rule()
    if (isNew) sayProcesses()
  }

  const receive = (message: ToConductor): void => {
    if (closed) return
    if (message.kind === 'leave') {
      drop(message.from)
      return
    }
    const now = clock.now()
    if (message.kind === 'report') {
      const seat = roster.seats.get(message.from)
      const permit = seat?.permits.get(message.permit)
      seat?.permits.delete(message.permit)
      seat?.foreign.delete(message.permit)
      observe(permit, message.observation)
    }
    if (message.term === office.term) {
      const seat = roster.seats.get(message.from)
      if (message.kind === 'beat') onBeat(message, now)
      else if (seat !== undefined) hear(seat, message, now)
    }
    dispatcher.pump()
  }

  let cancelLook: (() => void) | undefined
  const look = (): void => {
    for (const { id } of roster.silent(clock.now())) drop(id)
    tell(describe())
    sayProcesses()
    cancelLook = clock.after(STATUS_MS, look)
  }
  look()

  return {
    receive,
    drop,
    status: () => describe(),
    close: () => {
      closed = true
      dispatcher.close()
      cancelLook?.()
    },
  }
}

export const shareWords = (processes: number): string =>
  processes === 1 ? 'alone on the limit' : `${processes} processes share the limit`

const isSame = (one: Rules, other: Rules): boolean => JSON.stringify(one) === JSON.stringify(other)
