// A load test as it goes: what a terminal shows of the last seconds, and of the whole so far.
import type { LoadOptions, LoadSnapshot } from '../../domain/load.ts'
import { ratio } from '../turns.ts'
import { HdrCounts } from './hdr-counts.ts'
import { plannedMs, rateAt } from './timetable-rate.ts'

/** The last seconds are two of these at most, and one at least. */
const WINDOW_MS = 5000

interface EndedNow {
  readonly responseMs: number | undefined
  readonly grounded: boolean | undefined
  readonly isFailed: boolean
}

export interface LiveView {
  /** Moments are milliseconds since the epoch, roughly in order. */
  arrive(at: number, isDropped: boolean): void
  call(at: number, is429: boolean): void
  end(at: number, ended: EndedNow): void
  snapshot(at: number, inFlight: number, startedAt: number | undefined): LoadSnapshot
}

interface Window {
  readonly from: number
  threads: number
  calls: number
  readonly response: HdrCounts
}

const newWindow = (from: number): Window => ({ from, threads: 0, calls: 0, response: new HdrCounts(2) })

export function createLiveView({ model }: LoadOptions): LiveView {
  let before: Window | undefined
  let now: Window | undefined
  let [calls, refused, dropped, answered, errors, withContext, grounded] = [0, 0, 0, 0, 0, 0, 0]

  const windowAt = (at: number): Window => {
    now ??= newWindow(at)
    if (at - now.from < WINDOW_MS) return now
    before = at - now.from < 2 * WINDOW_MS ? now : undefined
    return (now = newWindow(at))
  }

  return {
    arrive: (at, isDropped) => {
      if (isDropped) dropped += 1
      else windowAt(at).threads += 1
    },
    call: (at, is429) => {
      calls += 1
      if (is429) refused += 1
      windowAt(at).calls += 1
    },
    end: (at, { responseMs, grounded: isGrounded, isFailed }) => {
      if (isFailed) errors += 1
      if (isGrounded !== undefined) withContext += 1
      if (isGrounded === true) grounded += 1
      if (responseMs === undefined) return
      answered += 1
      windowAt(at).response.record(responseMs)
    },
    snapshot: (at, inFlight, startedAt) => {
      const elapsedMs = startedAt === undefined ? 0 : Math.max(0, at - startedAt)
      // Once nothing comes any more, what came before is not of the last seconds.
      const known = [before, now]
        .filter((one) => one !== undefined)
        .filter((one) => at - one.from < 2 * WINDOW_MS)
      const recent = new HdrCounts(2)
      for (const { response } of known) recent.add(response)
      const from = known[0]?.from ?? (now === undefined ? at : at - WINDOW_MS)
      // What begins after a silence was not there for the whole of the last seconds.
      const seconds = Math.max(at - from, Math.min(WINDOW_MS, elapsedMs)) / 1000
      const aSecond = (count: 'threads' | 'calls'): number | null =>
        ratio(
          known.reduce((sum, one) => sum + one[count], 0),
          seconds,
        )
      return {
        elapsedMs,
        plannedMs: plannedMs(model),
        offeredRate: rateAt(model, elapsedMs) ?? null,
        threadRate: aSecond('threads'),
        callRate: aSecond('calls'),
        inFlight,
        p50: recent.at(0.5),
        p95: recent.at(0.95),
        calls,
        refused,
        dropped,
        answered,
        errors,
        coverage: ratio(grounded, withContext),
      }
    },
  }
}
