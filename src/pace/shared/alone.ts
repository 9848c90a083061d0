// A process that has lost Redis: its own conductor, at its fair part of the last known pace and never faster.
import type { Clock } from '../../domain/clock.ts'
import { createConductor, shareWords, type Conductor } from './conductor.ts'
import type { Member } from './member.ts'
import { ALONE, type Status } from './protocol.ts'

export interface FairPart {
  /** Calls a second. */
  readonly pace: number
  /** Calls at once. */
  readonly concurrency: number
}

/** What the limit is known to allow, or the last pace where that is less, divided among those who shared it last. */
export function fairPart({ pace, learned, processes, concurrency }: Status): FairPart {
  const members = Math.max(1, processes)
  const atOnce = Math.min(concurrency, learned?.atOnce ?? Infinity)
  return {
    pace: Math.min(pace, learned?.capacity ?? Infinity) / members,
    concurrency: Math.max(1, Math.floor(atOnce / members)),
  }
}

/** Messages go round by microtasks, as no part may be called in the middle of its own work. */
export function conductAlone(
  member: Member,
  last: Status,
  clock: Pick<Clock, 'now' | 'after'>,
  random: () => number,
): Conductor {
  const { pace, concurrency } = fairPart(last)
  const now = clock.now()
  const conductor = createConductor(
    {
      term: ALONE,
      begun: 'Redis is lost',
      learned: undefined,
      night: undefined,
      isOtherNight: false,
      closure:
        last.closure === undefined
          ? undefined
          : { from: now - last.closure.sinceMs, until: now + last.closure.forMs },
      processes: 0,
      gatherMs: 0,
    },
    {
      clock,
      random,
      grant: (_, grant) => queueMicrotask(() => member.receive(grant)),
      tell: (status) =>
        queueMicrotask(() => member.receive({ ...status, cause: withoutShare(status.cause) })),
    },
  )
  member.follow(ALONE, (message) =>
    queueMicrotask(() =>
      conductor.receive(
        message.kind === 'beat'
          ? { ...message, rules: { perSecond: pace, concurrency, start: undefined, share: 1 } }
          : message,
      ),
    ),
  )
  return conductor
}

/** That it is alone is said otherwise. */
const withoutShare = (cause: string | undefined): string | undefined =>
  cause === shareWords(1) ? undefined : cause
