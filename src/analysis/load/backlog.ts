// How many turns waited for their answer over a load test, and where the endpoint answered nothing while some did.

/** The timetable in so many steps. */
export const STEPS = 400
/** A stretch without an answer is a pause from this share of the time on: shorter ones move no quarter of it by much. */
const SHORTEST_PAUSE = 1 / 40

export interface Backlog {
  due(since: number): void
  end(since: number): void
  /** Of the first so many steps. */
  over(steps: number): BacklogCurve
}

/** From the beginning of a step to the end of another: nobody was answered, though turns waited. */
export interface Pause {
  readonly from: number
  /** The opening: the endpoint answers again from here on. */
  readonly to: number
}

export interface BacklogCurve {
  /** Turns due, and ended, before each step, and after the last: one more than steps. */
  readonly due: readonly number[]
  readonly ended: readonly number[]
  readonly pauses: readonly Pause[]
  /** Where the pause began that lasted to the end; undefined where the endpoint answered then. */
  readonly shutFrom: number | undefined
}

/** `stepMs`: how long a step takes, milliseconds; what comes after the last step is not counted. */
export function createBacklog(stepMs: number): Backlog {
  const none = (): number[] => Array.from({ length: STEPS }, () => 0)
  const [due, ended] = [none(), none()]
  const countIn =
    (counts: number[]) =>
    (since: number): void => {
      const step = Math.floor(Math.max(0, since) / stepMs)
      if (step < STEPS) counts[step] = (counts[step] ?? 0) + 1
    }
  return {
    due: countIn(due),
    end: countIn(ended),
    over: (steps) => {
      const curve = { due: sums(due.slice(0, steps)), ended: sums(ended.slice(0, steps)) }
      return { ...curve, ...pausesOf(curve, steps) }
    },
  }
}

/** Turns that wait before that step. */
export const waitingAt = ({ due, ended }: Pick<BacklogCurve, 'due' | 'ended'>, step: number): number =>
  (due[step] ?? 0) - (ended[step] ?? 0)

function pausesOf(
  curve: Pick<BacklogCurve, 'due' | 'ended'>,
  steps: number,
): Pick<BacklogCurve, 'pauses' | 'shutFrom'> {
  const shortest = Math.max(2, Math.ceil(steps * SHORTEST_PAUSE))
  const pauses: Pause[] = []
  let from: number | undefined
  for (let step = 0; step < steps; step += 1) {
    const isStill = curve.ended[step + 1] === curve.ended[step] && waitingAt(curve, step) > 0
    if (isStill) from ??= step
    else {
      if (from !== undefined && step - from >= shortest) pauses.push({ from, to: step })
      from = undefined
    }
  }
  return { pauses, shutFrom: from !== undefined && steps - from >= shortest ? from : undefined }
}

function sums(counts: readonly number[]): number[] {
  let sum = 0
  return [0, ...counts.map((count) => (sum += count))]
}
