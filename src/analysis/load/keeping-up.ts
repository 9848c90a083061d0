// Whether the endpoint kept up while threads arrived, or had more and more to answer.
import type { LoadModel } from '../../domain/load/load-options.ts'
import type { KeepingUp } from '../../domain/load/keeping-up.ts'
import { createBacklog, STEPS, waitingAt, type BacklogCurve } from './backlog.ts'
import { HdrCounts } from './hdr-counts.ts'
import { judgedOf, quarterOf, toldOf, type Span } from './judged-span.ts'
import { plannedMs } from './timetable-rate.ts'

/** Response times are held by so many slices of the timetable. */
const SLICES = 40
const STEPS_OF_SLICE = STEPS / SLICES
/** Turns due before anything is said. */
const FEWEST = 20
/** Answers before the median of a tenth is believed. */
const FEWEST_IN_TENTH = 5
/** What is judged must leave at least this share of its turns behind. */
const SHORTFALL = 0.02
/** So many times more under way, and waiting so much longer, than at the quickest. */
const TIMES_MORE = 3

export interface KeepingUpWatch {
  /** A turn was due so many milliseconds after the start. */
  due(since: number): void
  /** It ended so many milliseconds after the start; `responseMs` where it was answered. */
  end(dueSince: number, endSince: number, responseMs: number | undefined): void
  /** `arrivingMs`: how long threads arrived. */
  finish(arrivingMs: number): KeepingUp
}

interface Slice {
  due: number
  readonly response: HdrCounts
}

const UNKNOWN: KeepingUp = {
  verdict: 'unknown',
  due: null,
  ended: null,
  fromMs: null,
  toMs: null,
  unanswered: null,
  quickestMs: null,
  lastMs: null,
}

/**
 * The endpoint fell behind where all of this holds as the arrivals end, or up to its last opening (`judgedOf`):
 * - in the last quarter of their time, or in the whole openings that reach into it, fewer turns ended than fell due, by 2 %
 *   at least;
 * - the turns left behind are more than 3·L + 3·√L + 5, where L = λ·W is what Little's law (L = λW; Little 1961) expects at
 *   the rate λ of that span and the response time W of the test's quickest tenth, and √L is its spread where arrivals are
 *   chance;
 * - the median response in the last quarter is 3 W or more, or most of its turns were never answered.
 * W is the lowest median of the tenths of the time, the warm-up among them: a cold start is no measure. Fewer than 20 turns,
 * or less time than 4 W, tell nothing: in flight then grows for want of time to answer.
 */
export function createKeepingUp(model: LoadModel): KeepingUpWatch {
  const stepMs = plannedMs(model) / STEPS
  const backlog = createBacklog(stepMs)
  const slices: (Slice | undefined)[] = Array.from({ length: SLICES }, () => undefined)
  const at = (since: number): Slice | undefined => {
    const place = Math.floor(Math.max(0, since) / stepMs / STEPS_OF_SLICE)
    return place >= SLICES ? undefined : (slices[place] ??= { due: 0, response: new HdrCounts(2) })
  }

  // Users who loop cannot have more and more to answer.
  if (model.kind === 'closed') return { due: () => undefined, end: () => undefined, finish: () => UNKNOWN }
  return {
    due: (since) => {
      backlog.due(since)
      const slice = at(since)
      if (slice !== undefined) slice.due += 1
    },
    end: (dueSince, endSince, responseMs) => {
      backlog.end(endSince)
      if (responseMs !== undefined) at(dueSince)?.response.record(responseMs)
    },
    finish: (arrivingMs) => {
      // A part of a step has no rate of its own.
      const steps = Math.min(STEPS, Math.floor(arrivingMs / stepMs + 1e-9))
      const curve = backlog.over(steps)
      const quickestMs = quickestOf(slices.slice(0, Math.floor(steps / STEPS_OF_SLICE)))
      if ((curve.due[steps] ?? 0) < FEWEST || quickestMs === undefined || steps * stepMs < 4 * quickestMs)
        return UNKNOWN
      const judged = judgedOf(curve, steps)
      const { to, left } = judged
      const within = (span: Span) => ratesWithin(curve, span, stepMs)
      const isShort = (span: Span): boolean => {
        const { due, ended } = within(span)
        return due - ended >= SHORTFALL * due
      }
      const expected = within(judged).due * (quickestMs / 1000)
      const last = sumOf(
        slices.slice(
          Math.floor((to - quarterOf(steps, to)) / STEPS_OF_SLICE),
          Math.ceil(to / STEPS_OF_SLICE),
        ),
      )
      const lastMs = last.response.at(0.5)
      const isSlower = (lastMs ?? 0) >= TIMES_MORE * quickestMs || last.response.count < last.due / 2
      const isMore = left > TIMES_MORE * expected + 3 * Math.sqrt(expected) + 5
      const told = toldOf(curve, steps, judged, isShort)
      return {
        verdict: isShort(judged) && isMore && isSlower ? 'behind' : 'kept',
        ...within(told),
        fromMs: told.from * stepMs,
        toMs: told.to * stepMs,
        unanswered: waitingAt(curve, steps),
        quickestMs,
        lastMs,
      }
    },
  }
}

/** Turns due, and ended, a second of those steps. */
function ratesWithin(
  { due, ended }: BacklogCurve,
  { from, to }: Span,
  stepMs: number,
): Record<'due' | 'ended', number> {
  const seconds = ((to - from) * stepMs) / 1000
  const rate = (sums: readonly number[]): number => ((sums[to] ?? 0) - (sums[from] ?? 0)) / seconds
  return { due: rate(due), ended: rate(ended) }
}

function sumOf(slices: readonly (Slice | undefined)[]): Slice {
  const sum: Slice = { due: 0, response: new HdrCounts(2) }
  for (const slice of slices) {
    if (slice === undefined) continue
    sum.due += slice.due
    sum.response.add(slice.response)
  }
  return sum
}

/** The lowest median response of the tenths that have enough answers. */
function quickestOf(slices: readonly (Slice | undefined)[]): number | undefined {
  const tenth = Math.max(1, Math.ceil(slices.length / 10))
  const medians = Array.from({ length: Math.ceil(slices.length / tenth) }, (_, place) => {
    const { response } = sumOf(slices.slice(place * tenth, (place + 1) * tenth))
    return response.count < FEWEST_IN_TENTH ? null : response.at(0.5)
  }).filter((median) => median !== null)
  return medians.length === 0 ? undefined : Math.min(...medians)
}
