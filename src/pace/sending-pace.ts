// How fast one process sends, and how that moves: searched for in a ramp, measured when a limit opens again, held around it.
import type { Admissions } from './admissions.ts'
import type { CapacityMeter, Measurement } from './capacity.ts'
import { createCeiling, type Ceiling } from './ceiling.ts'
import { createDueTime } from './due-time.ts'
import { grow, plateauAt, RETURN_BELOW, type Growth } from './growth.ts'
import type { Beginning, Learned } from './learned.ts'
import { goOn } from './recollection.ts'

export interface SendingPaceOptions {
  /** Calls a second that the limit allows, where it is known: no ramp, never faster. */
  readonly known?: number
  /** Calls a second to begin with where it is not. */
  readonly start?: number
  /** Part of the limit to use at most, above 0 and up to 1: the rest is for others. */
  readonly share?: number
  /** What another policy has learned of this limit: no ramp, where it met it. */
  readonly beginning?: Beginning | undefined
}

export interface SendingPace {
  /** Calls a second. */
  readonly perSecond: number
  /** Calls a second that the limit was last measured to allow this process; the pace until it is met. */
  readonly capacity: number
  /** Milliseconds from one call to the next. */
  readonly slotMs: number
  /** When the next call is due; undefined before the first. */
  readonly nextAt: number | undefined
  readonly ceiling: Pick<Ceiling, 'allowed' | 'isLeast'>
  /** Undefined where no limit is searched for. */
  readonly growth: Readonly<Growth> | undefined
  /** The endpoint states its limit. */
  readonly isStated: boolean
  /** Whether the limit was met, here or by the one whose pace it goes on from. */
  readonly isMet: boolean
  /** Undefined where it began anew. */
  readonly wentOnFrom: Learned | undefined
  /** `isProbe`: sent while the gate is closed. To be told once the call is among the admissions. */
  onSend(now: number, isProbe: boolean): void
  /** `at`: when the refused call was sent. */
  onRefusal(at: number): void
  /** The probe sent at `openedAt` was admitted: goes on a little below what was measured. */
  reopen(opening: {
    readonly closedAt: number
    readonly openedAt: number
    readonly now: number
    readonly measured: Measurement
    /** It says little. */
    readonly isDoubtful: boolean
  }): void
  /** A refusal at a known rate, far from any other: keeps a little further away. */
  onStray(now: number): void
  /** The limit turned out to be one on calls at once, so that the rate is to be searched for again. */
  searchAgain(now: number): void
  /** Calls a second that the endpoint states. */
  heed(stated: number | undefined): void
}

const START_PER_SECOND = 4
const DOUBTFUL_CUT = 0.97

/**
 * With a share of the limit only: it is taken as known after so many openings and calls since it was met, or so many
 * calls without a refusal.
 */
const OPENINGS_TO_SETTLE = 3
const CALLS_TO_SETTLE = 40
const SENDS_TO_SETTLE = 60

export function createSendingPace(
  { known, start = START_PER_SECOND, share = 1, beginning }: SendingPaceOptions,
  admissions: Admissions,
  meter: Pick<CapacityMeter, 'memoryMs' | 'isShort'>,
): SendingPace {
  const ceiling = createCeiling(known, share)
  const due = createDueTime(admissions)
  const gone = beginning === undefined ? undefined : goOn(beginning, ceiling.perSecond, share)
  const wentOnFrom = gone === undefined ? undefined : beginning?.learned
  /** The ramp, too, leaves the others their part. */
  let pace = Math.min(ceiling.perSecond, gone?.pace ?? (known === undefined ? start * share : Infinity))
  let capacity = gone?.capacity ?? pace
  let growth: Growth | undefined =
    gone === undefined && known === undefined ? { kind: 'ramp', sends: 0, since: undefined } : gone?.growth
  let firstRefusalAt: number | undefined
  let openings = 0
  let isStated = false

  const slotMs = (): number => 1000 / pace

  /**
   * Who leaves a part of the limit to others keeps to his part, and does not feel for the edge again. What finding it
   * took beyond that part, since it was first met, is given back.
   */
  const settle = (): void => {
    growth = undefined
    pace = Math.min(ceiling.perSecond, share * capacity)
    due.payBack(firstRefusalAt ?? 0, slotMs())
  }

  return {
    get perSecond() {
      return pace
    },
    get capacity() {
      return capacity
    },
    get slotMs() {
      return slotMs()
    },
    get nextAt() {
      return due.nextAt
    },
    ceiling,
    get growth() {
      return growth
    },
    get isStated() {
      return isStated
    },
    get isMet() {
      return openings > 0 || isStated || wentOnFrom?.capacity !== undefined
    },
    wentOnFrom,
    onSend: (now, isProbe) => {
      // A rate that is known or stated is a promise, which a call a little sooner would break.
      const isEager = growth !== undefined && ceiling.allowed === Infinity
      const isPaced = due.onSend(now, slotMs(), { isKept: known !== undefined, isEager })
      if (!isProbe && isPaced && growth !== undefined)
        pace = Math.min(ceiling.perSecond, grow(growth, pace, now))
      if (share < 1 && growth?.kind === 'plateau' && growth.sends >= SENDS_TO_SETTLE) settle()
    },
    onRefusal: (at) => {
      firstRefusalAt ??= at
    },
    reopen: ({ closedAt, openedAt, now, measured, isDoubtful }) => {
      const sends = growth?.kind === 'plateau' ? growth.sends : 0
      capacity = isDoubtful ? Math.max(measured.capacity, DOUBTFUL_CUT * capacity) : measured.capacity
      pace = Math.min(ceiling.perSecond, RETURN_BELOW * capacity)
      openings += 1
      growth = plateauAt(openedAt, {
        capacity,
        returnTo: measured.returnTo,
        memoryMs: meter.memoryMs,
        sends,
        misledMs: measured.isMisled ? openedAt - closedAt : 0,
      })
      due.open(openedAt, slotMs(), meter.isShort ? now - openedAt - slotMs() : 0)
      const metAt = firstRefusalAt ?? openedAt
      if (share < 1 && openings >= OPENINGS_TO_SETTLE && admissions.count(metAt, openedAt) >= CALLS_TO_SETTLE)
        settle()
    },
    onStray: (now) => {
      ceiling.heedStray()
      pace = Math.min(pace, ceiling.perSecond)
      due.holdBack(now, slotMs())
    },
    searchAgain: (now) => {
      growth = { kind: 'ramp', sends: 0, since: now }
      pace = Math.max(pace, capacity)
    },
    // A stated policy lowers a pace, and ends the search for it; it never raises one that the user gave.
    heed: (stated) => {
      if (stated === undefined || (known !== undefined && stated >= known)) return
      if (stated === ceiling.allowed) return
      ceiling.lowerTo(stated)
      isStated = true
      if (growth?.kind !== 'ramp' && pace <= ceiling.perSecond) return
      pace = ceiling.perSecond
      capacity = stated
      growth = undefined
      // What was sent before the policy was known has used up some of it already.
      due.payBack(admissions.firstAt ?? 0, slotMs())
    },
  }
}
