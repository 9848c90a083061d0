// The conductor's list of members: who lives, who waits, who holds which permits, and whose turn it is.
import type { Policy, Sending } from '../policy.ts'
import type { Rules, ToConductor } from './protocol.ts'
import { SILENT_MS } from './times.ts'

export interface GivenPermit {
  readonly id: string
  readonly sequence: number
  readonly grantedAt: number
  readonly sending: Sending
  /** The one that granted it: another may be in force when the answer comes. */
  readonly policy: Policy
}

export interface Seat {
  readonly id: string
  rules: Rules
  heardAt: number
  /** Its latest message. */
  number: number
  waiting: number
  /** Grants sent to it. */
  sent: number
  readonly permits: Map<string, GivenPermit>
  /** Calls it has under way that this conductor did not grant. */
  foreign: Set<string>
  /** The turn in which it was served last. */
  servedIn: number
}

type Beat = Extract<ToConductor, { kind: 'beat' }>

export interface Roster {
  readonly seats: ReadonlyMap<string, Seat>
  /** Calls under way in all of them. */
  readonly inFlight: number
  seat(beat: Beat, now: number): Seat
  remove(id: string): Seat | undefined
  /** Who waits and was served longest ago. */
  next(): Seat | undefined
  serve(seat: Seat, permit: GivenPermit): void
  silent(now: number): Seat[]
}

export function createRoster(): Roster {
  const seats = new Map<string, Seat>()
  let turn = 0
  return {
    seats,
    get inFlight() {
      let sum = 0
      for (const { permits, foreign } of seats.values()) sum += permits.size + foreign.size
      return sum
    },
    seat: ({ from, rules, number }, now) => {
      const known = seats.get(from)
      if (known !== undefined) return known
      const seat: Seat = {
        id: from,
        rules,
        heardAt: now,
        number,
        waiting: 0,
        sent: 0,
        permits: new Map(),
        foreign: new Set(),
        // Before who was served last.
        servedIn: turn - 1,
      }
      seats.set(from, seat)
      return seat
    },
    remove: (id) => {
      const seat = seats.get(id)
      seats.delete(id)
      return seat
    },
    next: () => {
      let chosen: Seat | undefined
      for (const seat of seats.values())
        if (seat.waiting > 0 && (chosen === undefined || seat.servedIn < chosen.servedIn)) chosen = seat
      return chosen
    },
    serve: (seat, permit) => {
      turn += 1
      seat.servedIn = turn
      seat.waiting -= 1
      seat.permits.set(permit.id, permit)
    },
    silent: (now) => [...seats.values()].filter(({ heardAt }) => now - heardAt > SILENT_MS),
  }
}

/** What a message of a member says of its demand; grants on their way to it are not waited for any more. */
export function hear(seat: Seat, message: Exclude<ToConductor, { kind: 'leave' }>, now: number): void {
  seat.heardAt = now
  seat.number = Math.max(seat.number, message.number)
  let underWay = 0
  for (const { sequence } of seat.permits.values()) if (sequence > message.seen) underWay += 1
  seat.waiting = Math.max(0, message.waiting - underWay)
}

/**
 * Brings the permits in line with what the member says it holds. Returns those that are gone: it has received them and
 * holds them no longer (their report was lost), or they never came to it.
 */
export function reconcile(seat: Seat, { held, seen }: Beat, now: number): GivenPermit[] {
  const holds = new Set(held)
  seat.foreign = new Set(held.filter((id) => !seat.permits.has(id)))
  const gone = [...seat.permits.values()].filter(
    ({ id, sequence, grantedAt }) => !holds.has(id) && (sequence <= seen || now - grantedAt > SILENT_MS),
  )
  for (const { id } of gone) seat.permits.delete(id)
  return gone
}
