// The account of a journal: sessions, calls and usage, which runs, load tests and limit searches count alike.
import { type AttemptResult, isAmbiguous, isRateLimited, statusOf } from '../../domain/attempt.ts'
import type { JournalEvent } from '../../domain/journal.ts'
import { type Quota, shareOfQuota } from '../../domain/quota.ts'
import type { Stop } from '../../domain/stop.ts'
import type { Figures, Summary } from '../../domain/summary.ts'

export type UsageClass = 'certain' | 'possible' | 'notCounted'

/**
 * Assumes that refusals do not count. `certain`: a 2xx status arrived, even if the body did not.
 * `notCounted`: never reached the endpoint, or refused before the assistant (3xx, 4xx, 429).
 */
export function usageClassOf(result: AttemptResult): UsageClass {
  const status = statusOf(result)
  if (status !== undefined && status >= 200 && status < 300) return 'certain'
  return isAmbiguous(result) ? 'possible' : 'notCounted'
}

/** Times are milliseconds since the epoch. */
export interface Account {
  readonly sessions: number
  /** The end of the last session; undefined if the process died. */
  readonly stop: Stop | undefined
  readonly firstCallAt: number | undefined
  readonly lastAt: number | undefined
  /** Does not count the time between two sessions. */
  readonly sessionsMs: number
  /** Attempts whose intent is lost count, too. */
  readonly usage: Readonly<Usage>
  readonly rateLimited: number
  readonly attempts: number
  /** These attempts have no readable record; without a result, they count as possible usage. */
  readonly lost: number
  /** These attempts have a result but no intent, so they belong to no turn. */
  readonly orphans: number
}

export function createAccount() {
  const inFlight = new Map<number, number>()
  const usage = noUsage()
  const counts = { sessions: 0, sent: 0, ended: 0, rateLimited: 0, orphans: 0, unreadable: 0, maxAttempt: 0 }
  let stop: Stop | undefined
  let [firstCallAt, lastAt]: (number | undefined)[] = []
  let sessionsMs = 0

  const add = (event: JournalEvent): void => {
    if (event.kind === 'question') return
    if (event.kind !== 'session') sessionsMs += Math.max(0, event.at - (lastAt ?? event.at))
    lastAt = event.at
    switch (event.kind) {
      case 'session':
        counts.sessions += 1
        stop = undefined
        return
      case 'intent':
        counts.sent += 1
        counts.maxAttempt = Math.max(counts.maxAttempt, event.attempt)
        firstCallAt ??= event.at
        // Until its result is read, it may have been processed.
        usage.possible += 1
        inFlight.set(event.attempt, event.at)
        return
      case 'result':
        counts.ended += 1
        counts.maxAttempt = Math.max(counts.maxAttempt, event.attempt)
        if (inFlight.delete(event.attempt)) usage.possible -= 1
        else counts.orphans += 1
        usage[usageClassOf(event.result)] += 1
        if (isRateLimited(event.result)) counts.rateLimited += 1
        return
      case 'end':
        stop = event.stop
        return
      case 'set':
      case 'turnEnded':
      case 'restart':
      case 'confirm':
      case 'pace':
      case 'dropped':
        return
    }
  }
  return {
    add,
    addLostIntent: (): void => {
      counts.unreadable += 1
    },
    /** Says when each call in flight was sent; the oldest comes first. */
    inFlight: inFlight as ReadonlyMap<number, number>,
    counts: counts as Readonly<typeof counts>,
    stop: () => stop,
    totals: (): Account => {
      const { sessions, rateLimited, orphans, unreadable, maxAttempt } = counts
      const known = counts.sent + orphans
      // Attempts are numbered in order. One without a record counts as possible usage.
      const lost = Math.max(unreadable, maxAttempt - known)
      const all = { ...usage, possible: usage.possible + lost }
      const ended = { sessions, stop, firstCallAt, lastAt, sessionsMs }
      return { ...ended, usage: all, rateLimited, attempts: known + lost, lost, orphans }
    },
  }
}

/** Says which rate the endpoint accepted, and for how long; null if it accepted nothing. */
export const acceptedIn = ({ usage, sessionsMs }: Account): Summary['pacing']['accepted'] =>
  usage.certain === 0 || sessionsMs === 0
    ? null
    : { perSecond: (usage.certain * 1000) / sessionsMs, forMs: sessionsMs }

type Usage = Record<UsageClass, number>

export const noUsage = (): Usage => ({ certain: 0, possible: 0, notCounted: 0 })

export function addUsage(sum: Usage, { certain, possible, notCounted }: Readonly<Usage>): void {
  sum.certain += certain
  sum.possible += possible
  sum.notCounted += notCounted
}

export function quotaFigures(
  { certain, possible, notCounted }: Readonly<Usage>,
  quota: Quota | null,
): Figures['quota'] {
  const [attempts, max] = [certain + possible + notCounted, certain + possible]
  const usage = { attempts, certain, possible, notCounted, min: certain, max }
  return { ...usage, shareOfQuota: shareOfQuota(max, quota) }
}

const MAX_BINS = 120
const FIRST_BIN_MS = 250

/** Widens the bins as the run gets longer, so that it takes the same memory for any run. */
export function createCallsOverTime() {
  const [answered, refused, failed]: [number[], number[], number[]] = [[], [], []]
  const all = [answered, refused, failed]
  let binMs = FIRST_BIN_MS
  let from: number | undefined

  const widenFor = (lengthMs: number): void => {
    for (; lengthMs >= MAX_BINS * binMs; binMs *= 2)
      for (const counts of all) {
        for (const [index, count] of counts.entries())
          if (index % 2 === 0) counts[index / 2] = count + (counts[index + 1] ?? 0)
        counts.length = Math.ceil(counts.length / 2)
      }
  }
  return {
    add: (event: JournalEvent): void => {
      if (event.kind !== 'result') return
      const { at, result } = event
      from ??= Math.floor(at / FIRST_BIN_MS) * FIRST_BIN_MS
      widenFor(at - from)
      // If the clock was set back, the call still counts.
      const bin = Math.max(0, Math.floor((at - from) / binMs))
      while (answered.length <= bin) for (const counts of all) counts.push(0)
      const counts = result.kind === 'reply' ? answered : isRateLimited(result) ? refused : failed
      counts[bin] = (counts[bin] ?? 0) + 1
    },
    finish: (): Summary['pacing']['calls'] =>
      from === undefined ? null : { from: new Date(from).toISOString(), binMs, answered, refused, failed },
  }
}
