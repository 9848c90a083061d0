// How a policy goes on from what another has learned of the same limit.
import type { Admissions } from './admissions.ts'
import type { CapacityMeter } from './capacity.ts'
import { plateauAt, RETURN_BELOW, type Growth } from './growth.ts'
import type { Beginning, Learned } from './learned.ts'

const RECENT_CALLS = 40
/** A window that opened before more calls than these says nothing any more. */
const MOST_RECENT_CALLS = 5000

/** Since the window opened, where the limit is known to have one; else the latest calls. */
export function recentOf(
  admissions: Admissions,
  openedAt: number | undefined,
  now: number,
): Learned['recent'] {
  if (openedAt !== undefined) {
    const calls = admissions.count(openedAt, now)
    if (calls <= MOST_RECENT_CALLS) return { calls, ms: now - openedAt }
  }
  const from = admissions.since(RECENT_CALLS) ?? admissions.firstAt
  return from === undefined ? undefined : { calls: admissions.count(from, now), ms: now - from }
}

/** The calls that another was let through: spread evenly, which is how they were sent. */
export function recall(admissions: Admissions, { learned: { recent }, at }: Beginning): void {
  if (recent === undefined) return
  for (let place = 0; place < recent.calls; place += 1)
    admissions.add(at - recent.ms + (place * recent.ms) / recent.calls)
}

/** Undefined where the limit has not been met. */
export function windowOf({
  learned: { memoryMs, recent, capacity },
  at,
}: Beginning): Pick<CapacityMeter, 'memoryMs' | 'openedAt'> | undefined {
  if (capacity === undefined) return undefined
  return { memoryMs, openedAt: memoryMs > 0 && recent !== undefined ? at - recent.ms : undefined }
}

/** The search above a limit that is well known begins as late as after so many quiet calls. */
const WELL_KNOWN_SENDS = 50
/** A limit that fewer calls than this have met is hardly known: their haste may have been what was refused. */
const FEWEST_CALLS = 15

/**
 * On the plateau around what was measured, or, where the limit was not met or is hardly known, in the ramp as far as it was.
 * A known rate (`ceiling`) or a share of the limit that is below what was measured needs no search. Undefined: as if nothing
 * were known.
 */
export function goOn(
  { learned, at }: Beginning,
  ceiling: number,
  share: number,
): { readonly pace: number; readonly capacity: number; readonly growth: Growth | undefined } | undefined {
  const { pace, capacity, memoryMs, recent } = learned
  if (capacity === undefined) {
    if (ceiling < Infinity) return undefined
    return { pace, capacity: pace, growth: { kind: 'ramp', sends: 0, since: undefined } }
  }
  if (share < 1) return { pace: share * capacity, capacity, growth: undefined }
  const returnTo = RETURN_BELOW * capacity
  if (returnTo >= ceiling) return undefined
  if (memoryMs === 0 && recent !== undefined && recent.calls < FEWEST_CALLS)
    return { pace, capacity, growth: { kind: 'ramp', sends: 0, since: undefined } }
  const growth = plateauAt(at, { capacity, returnTo, memoryMs, sends: WELL_KNOWN_SENDS, misledMs: 0 })
  return { pace, capacity, growth }
}
