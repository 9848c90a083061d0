// The rate at which threads were to arrive at each moment of a load test.
import type { LoadModel } from '../../domain/load.ts'

/** Milliseconds in which threads arrive, or users loop. */
export const plannedMs = (model: LoadModel): number =>
  model.kind === 'closed'
    ? model.durationMs
    : model.stages.reduce((sum, { durationMs }) => sum + durationMs, 0)

/**
 * Milliseconds in which threads did arrive. Where the test `isDone` that is the timetable; else as long as it went on,
 * `elapsedMs`, or until the next thread was due after the last one, at `lastDueMs`: nothing arrives while what is under way
 * at an interruption is waited for.
 */
export function arrivingMs(model: LoadModel, isDone: boolean, elapsedMs: number, lastDueMs: number): number {
  const planned = plannedMs(model)
  if (isDone) return planned
  const rate = rateAt(model, Math.min(lastDueMs, planned - 1))
  const untilNext = rate === undefined || rate === 0 ? elapsedMs : lastDueMs + 1000 / rate
  return Math.min(planned, elapsedMs, untilNext)
}

/**
 * When time 0 was, milliseconds since the epoch: `told` is written just before it. The first thread of a regular timetable
 * is due at time 0 itself, where its rate does not begin at 0.
 */
export function startOf(model: LoadModel, told: number | undefined, firstDueAt: number): number {
  const isAtOnce =
    model.kind === 'closed' || (model.arrivals === 'constant' && (model.stages[0]?.from ?? 0) > 0)
  return isAtOnce || told === undefined ? firstDueAt : Math.min(told, firstDueAt)
}

/** Threads a second, so many milliseconds after the start; undefined outside the timetable, and where users loop. */
export function rateAt(model: LoadModel, since: number): number | undefined {
  if (model.kind === 'closed' || since < 0) return undefined
  let begin = 0
  for (const { durationMs, from, to } of model.stages) {
    if (since < begin + durationMs) return from + ((to - from) * (since - begin)) / durationMs
    begin += durationMs
  }
  return undefined
}
