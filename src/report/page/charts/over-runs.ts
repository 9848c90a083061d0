// A figure from run to run: a line in the band of its intervals that breaks where the questions changed, hollow dots beside it.
import { html, type SafeHtml } from '../html.ts'
import {
  ACROSS,
  stretched,
  chart,
  down,
  gridOf,
  percentAlong,
  PLOT,
  ticksBelow,
  type ChartTexts,
} from './plot.ts'
import { axisBetween, axisFromZero, pathThrough, type Point, type Tick } from './scales.ts'

export interface RunPoint {
  /** 0 to 1 across. */
  readonly place: number
  /** Null: the run has none. */
  readonly value: number | null
  /** Both null: no interval. */
  readonly low: number | null
  readonly high: number | null
}

export interface OverRuns {
  /** By start. */
  readonly points: readonly RunPoint[]
  /** Of each run: `joined` to the one before, `apart` from the line, or where a new line `begins`. */
  readonly joins: readonly ('joined' | 'begins' | 'apart')[]
  /** Where the questions changed, 0 to 1 across. */
  readonly marks: readonly number[]
  readonly ticks: readonly Tick[]
  readonly format: (value: number) => string
  /** `nothing`: the scale starts at 0. `least`: near the lowest value; for shares, whose changes are small beside them. */
  readonly from: 'nothing' | 'least'
}

/** With more runs a dot for each would hide the line. */
const MOST_DOTS = 45
/** Share of the width that the values of the grid take. */
const LABEL_WIDTH = 0.12

/** `id` is unique in the page. */
export function figuresOverRuns(id: string, texts: ChartTexts, parts: OverRuns): SafeHtml {
  const { points, joins, marks, ticks, format, from } = parts
  const across = (place: number): number => LABEL_WIDTH + (1 - LABEL_WIDTH) * place
  const values = points.flatMap(({ value, low, high }) => [value, low, high].filter((one) => one !== null))
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const axis = from === 'nothing' ? axisFromZero(most, 3, format) : axisBetween(least, most, 4, format)
  const at = (place: number, value: number | null): Point => ({
    x: across(place) * ACROSS,
    y: value === null ? null : down(axis.place(value)),
  })
  const dot = ({ place, value }: RunPoint, kind: 'full' | 'hollow'): SafeHtml =>
    html`<circle
      class="dot ${kind}"
      cx="${percentAlong(across(place))}"
      cy="${at(place, value).y ?? 0}"
      r="3"
    ></circle>`
  const lines = linesOf(points, joins)
  const paths = lines.map((line) => {
    const bounded = line.filter(({ low, high }) => low !== null && high !== null)
    const band = pathThrough(
      [
        ...bounded.map(({ place, high }) => at(place, high)),
        ...bounded.toReversed().map(({ place, low }) => at(place, low)),
      ],
      'straight',
    )
    // A band has a width; the interval of a single run is a bar.
    const kind = bounded.length === 1 ? 'bound' : 'band'
    const path = pathThrough(
      line.map(({ place, value }) => at(place, value)),
      'straight',
    )
    return html`${
        bounded.length === 0
          ? ''
          : html`<path class="${kind}" d="${band}Z" vector-effect="non-scaling-stroke"></path>`
      }<path class="line" d="${path}" vector-effect="non-scaling-stroke"></path>`
  })
  const full = lines.flatMap((line) => (points.length <= MOST_DOTS || line.length === 1 ? line : []))
  const hollow = points.filter(({ value }, run) => joins[run] === 'apart' && value !== null)
  const body = html`${gridOf(axis, from === 'least')}${marks.map((mark) => {
    const x = percentAlong(across(mark))
    return html`<line class="mark" x1="${x}" x2="${x}" y1="${PLOT.top}" y2="${PLOT.bottom}"></line>`
  })}${stretched(html`${paths}`)}${full.map((one) => dot(one, 'full'))}${hollow.map((one) => dot(one, 'hollow'))}${ticksBelow(ticks.map((tick) => ({ ...tick, place: across(tick.place) })))}`
  return chart(id, texts, body)
}

/** Stretches of runs with a value: a line passes runs that are apart, and breaks where a value is missing or a new line begins. */
function linesOf(points: readonly RunPoint[], joins: OverRuns['joins']): RunPoint[][] {
  const lines: RunPoint[][] = [[]]
  for (const [run, point] of points.entries()) {
    const join = joins[run]
    if (join === 'apart') continue
    if (join === 'begins' || point.value === null) lines.push([])
    if (point.value !== null) lines.at(-1)?.push(point)
  }
  return lines.filter(({ length }) => length > 0)
}
