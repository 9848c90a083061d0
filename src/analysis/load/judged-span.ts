// Which time of a load test is judged for whether the endpoint kept up: whole openings, where it answers by openings.
import { waitingAt, type BacklogCurve, type Pause } from './backlog.ts'
import type { Span } from './told-span.ts'

/** A pause at the end is as the ones before it up to so many times the longest of them; each is known to a step. */
const LONGER_PAUSE = 2
const PAUSE_STEPS_LOST = 2

/** Of it turns due and ended are held against each other. */
interface Judged extends Span {
  /** Turns that the endpoint left behind. */
  readonly left: number
}

/** Steps of a quarter of the time, or what there is before that one. */
export const quarterOf = (steps: number, to: number): number =>
  Math.min(to, Math.max(1, Math.round(steps / 4)))

/**
 * An endpoint that answers by openings, as one with a limit a minute does, has a backlog that rises in each pause and falls
 * with each opening; where in a pause the arrivals end is chance. Then time is judged up to the last opening, and left behind
 * is what the endpoint had not worked off at any moment since. So it is
 * - while it answers: for as long as the pause took, or as it is from one opening to the next;
 * - in a pause at the end: while that is as the ones before it. Where more is due than openings of one size take, each pause is
 *   longer than the last one by the same, the first one included: twice as long at most. A longer one is an outage.
 */
export function judgedOf(curve: BacklogCurve, steps: number): Judged {
  const { pauses, shutFrom } = curve
  const last = pauses.at(-1)
  const longest = Math.max(0, ...pauses.map(({ from, to }) => to - from))
  const isAsBefore =
    last !== undefined &&
    (shutFrom === undefined
      ? steps - last.to < Math.max(last.to - last.from, cycleOf(pauses))
      : steps - shutFrom <= LONGER_PAUSE * longest + PAUSE_STEPS_LOST)
  const to = isAsBefore ? last.to : steps
  const since = Array.from({ length: steps - to + 1 }, (_, place) => waitingAt(curve, to + place))
  return { from: beginOf(curve, steps, to), to, left: Math.min(...since) }
}

/** Steps from one opening to the next: the shorter of the last two times, as one alone may be a calm without a pause. */
function cycleOf(pauses: readonly Pause[]): number {
  const [before = 0, one, other] = [0, ...pauses.map(({ to }) => to)].slice(-3)
  return one === undefined || other === undefined ? 0 : Math.min(one - before, other - one)
}

/** A quarter of the time before `to`; where that holds part of a pause, all from the opening before it on, or from the start. */
function beginOf({ pauses, shutFrom = Infinity }: BacklogCurve, steps: number, to: number): number {
  const quarter = to - quarterOf(steps, to)
  const isPaused = shutFrom < to || pauses.some((pause) => pause.to > quarter && pause.from < to)
  return isPaused ? (pauses.findLast((pause) => pause.to <= quarter)?.to ?? 0) : quarter
}
