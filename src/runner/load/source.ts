// Where a load test's threads come from: a timetable, or users who come back.
import type { LoadModel } from '../../domain/load/load-options.ts'
import { createTimetable } from './timetable.ts'

export interface Arrival {
  /** From 0, in the order in which they were due. */
  readonly arrival: number
  /** When it is due, milliseconds of the test's clock. */
  readonly at: number
}

export interface Source {
  readonly isClosed: boolean
  /** From the start to the last moment a thread may arrive, milliseconds. */
  readonly durationMs: number
  /** The timetable's next arrival; undefined when there are no more, and where users loop. */
  next(): Arrival | undefined
  /** The next arrival has had its turn. */
  take(): void
  /** Where users loop: the first thread of each. */
  readonly atOnce: readonly Arrival[]
  /** A user is ready for another thread at that moment; undefined where the time is over by then. */
  comeBack(at: number): Arrival | undefined
}

/** `random`: uniform in [0, 1). */
export function createSource(model: LoadModel, startedAt: number, random: () => number): Source {
  let arrival = 0
  if (model.kind === 'closed') {
    const { users, durationMs } = model
    const atOnce = Array.from({ length: users }, () => ({ arrival: arrival++, at: startedAt }))
    return {
      isClosed: true,
      durationMs,
      next: () => undefined,
      take: () => undefined,
      atOnce,
      comeBack: (at) => (at - startedAt < durationMs ? { arrival: arrival++, at } : undefined),
    }
  }
  const timetable = createTimetable(model.stages, model.arrivals, random)
  const read = (): Arrival | undefined => {
    const moment = timetable.next()
    return moment === undefined ? undefined : { arrival: arrival++, at: startedAt + moment }
  }
  let next = read()
  return {
    isClosed: false,
    durationMs: timetable.durationMs,
    next: () => next,
    take: () => {
      next = read()
    },
    atOnce: [],
    comeBack: () => undefined,
  }
}
