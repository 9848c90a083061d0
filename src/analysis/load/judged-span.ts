// Which time of a load test is judged for whether the endpoint kept up: whole openings, where it answers by openings.
import { waitingAt, type BacklogCurve, type Pause } from './backlog.ts'

/** A pause at the end is as the ones before it up to so many times the longest of them; each is known to a step. */
const LONGER_PAUSE = 2
const PAUSE_STEPS_LOST = 2

/** Steps of the time. */
export interface Span {
  readonly from: number
  readonly to: number
}

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

/** Two parts answered as much where they differ by no more than what came and went at their edges. */
const AS_MUCH = 0.9

/**
 * Of which time it is told what was due and what ended. Where less was answered before an endpoint's only opening than after
 * it, its window had been partly spent, by others or by a test before, as this one began: the time up to the opening is no
 * measure then. It is told of the whole test, if that fell short, too: what is told is why the endpoint was behind.
 */
export function toldOf(
  { pauses, ended }: BacklogCurve,
  steps: number,
  judged: Span,
  isShort: (span: Span) => boolean,
): Span {
  const [only, ...others] = pauses
  if (only === undefined || others.length > 0 || judged.to === steps) return judged
  const whole = { from: 0, to: steps }
  const before = ended[only.to] ?? 0
  const after = (ended[steps] ?? 0) - before
  return before < AS_MUCH * after && isShort(whole) ? whole : judged
}
