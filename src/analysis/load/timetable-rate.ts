// The rate at which threads were to arrive at each moment of a load test, and the bands that a report divides it in.
import type { LoadModel, Stage } from '../../domain/load/load-options.ts'

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

export interface BandEdges {
  readonly from: number
  readonly to: number
}

const MOST_BANDS = 8
const STEPS = [1, 2, 2.5, 5, 10]

/** Slowest first. Rates that were held are bands of their own where no rate changed gradually; else equal steps. */
export function bandsOf(model: LoadModel): readonly BandEdges[] {
  if (model.kind === 'closed') return []
  const rates = model.stages.flatMap(({ from, to }) => [from, to])
  const [low, high] = [Math.min(...rates), Math.max(...rates)]
  const held = [...new Set(rates)].filter((rate) => rate > 0).sort((a, b) => a - b)
  const isHeld = ({ from, to }: Stage): boolean => from === to
  if (model.stages.every(isHeld) && held.length <= MOST_BANDS)
    return held.map((rate) => ({ from: rate, to: rate }))
  const rough = (high - low) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (STEPS.find((one) => one * power >= rough * (1 - 1e-9)) ?? 10)
  const first = Math.floor(low / step + 1e-9)
  const count = Math.ceil(high / step - 1e-9) - first
  return Array.from({ length: count }, (_, place) => ({
    from: tidy(Math.max(low, (first + place) * step)),
    to: tidy(Math.min(high, (first + place + 1) * step)),
  }))
}

/** Which of the bands a rate lies in; what lies between two belongs to the slower. */
export function bandAt(bands: readonly BandEdges[], rate: number): number | undefined {
  const place = bands.findIndex(({ to }) => rate <= to)
  return place === -1 ? undefined : place
}

/** Whether the rate never falls, and rises somewhere: then it rises with the time. */
export function onlyRises(model: LoadModel): boolean {
  if (model.kind === 'closed') return false
  const rates = model.stages.flatMap(({ from, to }) => [from, to])
  return (
    rates.every((rate, place) => rate >= (rates[place - 1] ?? 0)) && (rates.at(-1) ?? 0) > (rates[0] ?? 0)
  )
}

const tidy = (rate: number): number => Number(rate.toPrecision(12))
