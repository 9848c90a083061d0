// The one file that knows the chart library: where values lie on an axis, which ticks it has, how points join to a line.
import { scaleLinear, scaleUtc } from 'd3-scale'
import { curveLinear, curveStepAfter, line } from 'd3-shape'

export interface Tick {
  /** 0 to 1 along the axis. */
  readonly place: number
  readonly label: string
}

export interface Axis {
  /** 0 to 1 along the axis; outside for values beyond its ends. */
  readonly place: (value: number) => number
  readonly ticks: readonly Tick[]
}

/** From 0 to a round number that is at least `most`. */
export function axisFromZero(most: number, count: number, format: (value: number) => string): Axis {
  const scale = scaleLinear()
    .domain([0, most > 0 ? most : 1])
    .nice(count)
  return {
    place: (value) => scale(value),
    ticks: scale.ticks(count).map((value) => ({ place: scale(value), label: format(value) })),
  }
}

/** So small a part of all, in a scale of shares, would make noise look like news. */
const SMALLEST_SPAN = 0.2

/** For shares: from a round number at or below `least` to one at or above `most`, a fifth of all apart at least, within 0 and 1. */
export function axisBetween(
  least: number,
  most: number,
  count: number,
  format: (value: number) => string,
): Axis {
  const missing = Math.max(0, SMALLEST_SPAN - (most - least)) / 2
  const low = Math.max(0, Math.min(least - missing, 1 - SMALLEST_SPAN))
  const scale = scaleLinear()
    .domain([low, Math.min(1, Math.max(most + missing, low + SMALLEST_SPAN))])
    .nice(count)
  return {
    place: (value) => scale(value),
    ticks: scale.ticks(count).map((value) => ({ place: scale(value), label: format(value) })),
  }
}

export interface TimeTicks {
  readonly most: number
  /** Milliseconds that a label can tell apart: it is true of whole ones alone. */
  readonly unit: number
  readonly format: (at: number) => string
}

/** Nearer than this their labels would touch on a telephone, 0 to 1. */
const ROOM = 0.3

/** Times in milliseconds since 1970; ticks on whole seconds, minutes, hours, days of UTC, with room for their labels. */
export function timeAxis(from: number, to: number, { most, unit, format }: TimeTicks): Axis {
  const scale = scaleUtc()
    .domain([from, Math.max(to, from + 1)])
    .range([0, 1])
  const shown: number[] = []
  for (const tick of scale.ticks(most)) {
    const [at, last] = [tick.getTime(), shown.at(-1)]
    const hasRoom = last === undefined || scale(at) - scale(last) >= ROOM
    if (at % unit === 0 && hasRoom && shown.length < most) shown.push(at)
  }
  const ticks = (shown.length === 0 ? [from] : shown).map((at) => ({ place: scale(at), label: format(at) }))
  return { place: (at) => scale(at), ticks }
}

export interface Point {
  readonly x: number
  /** Null: a gap in the line. */
  readonly y: number | null
}

/** The data of an SVG path. `step`: a value holds until the next one. */
export function pathThrough(points: readonly Point[], kind: 'step' | 'straight'): string {
  const draw = line<Point>()
    .defined(({ y }) => y !== null)
    .x(({ x }) => x)
    .y(({ y }) => y ?? 0)
    .curve(kind === 'step' ? curveStepAfter : curveLinear)
    .digits(2)
  return draw(points) ?? ''
}
