// Figures from run to run over time: lines that break where runs are not of the same, bands of intervals, hollow dots beside.
import { html, type SafeHtml } from '../html.ts'
import { bandParts } from './band.ts'
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
import { axisBetween, axisFromZero, pathThrough, type Tick } from './scales.ts'

export interface RunPoint {
  /** 0 to 1 across. */
  readonly place: number
  /** Null: the run has none. */
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
}

export interface RunLine {
  /** `main` is solid, `beside` dashed. */
  readonly look: 'main thick' | 'beside thick'
  readonly label: string
  /** In the order of time; as many as there are runs. */
  readonly points: readonly RunPoint[]
}

export interface OverRuns {
  readonly lines: readonly RunLine[]
  /** Of each run: `joined` to the one before, `apart` from the line, or where a new line begins. */
  readonly joins: readonly ('joined' | 'begins' | 'apart')[]
  /** Where something was changed, 0 to 1 across. */
  readonly marks: readonly { readonly place: number; readonly kind: 'questions' | 'settings' }[]
  readonly ticks: readonly Tick[]
  readonly format: (value: number) => string
  /** Share of the width that the values of the grid take. */
  readonly labelWidth: number
  /** `nothing`: the scale begins at 0. `least`: near the lowest value; for shares, whose changes are small beside them. */
  readonly from: 'nothing' | 'least'
  /** From nothing, the scale ends there or higher. */
  readonly atLeast?: number
}

/** With more runs a dot for each would hide the line. */
const MOST_DOTS = 45

/** `id` is unique in the page. */
export function figuresOverRuns(id: string, texts: ChartTexts, parts: OverRuns): SafeHtml {
  const { lines, joins, marks, ticks, format, labelWidth, from, atLeast = 0 } = parts
  const across = (place: number): number => labelWidth + (1 - labelWidth) * place
  const values = lines.flatMap(({ points }) =>
    points.flatMap(({ value, low, high }) => [value, low, high].filter((one) => one !== null)),
  )
  const most = values.reduce((high, one) => Math.max(high, one), 0)
  const least = values.reduce((low, one) => Math.min(low, one), most)
  const axis =
    from === 'nothing'
      ? axisFromZero(Math.max(most, atLeast), 3, format)
      : axisBetween(least, most, 4, format)
  const y = (value: number): number => down(axis.place(value))
  const drawn = lines.map((line) => {
    const segments = segmentsOf(line.points, joins)
    return { ...line, segments, hasDots: joins.length <= MOST_DOTS }
  })
  const paths = drawn.map(({ look, segments }) => {
    const d = segments
      .map((segment) =>
        pathThrough(
          segment.map(({ place, value }) => ({ x: across(place) * ACROSS, y: y(value) })),
          'straight',
        ),
      )
      .join('')
    return html`${bandParts(segments, (place) => across(place) * ACROSS, y)}<path
        class="line ${look}"
        d="${d}"
        vector-effect="non-scaling-stroke"
      ></path>`
  })
  const dots = drawn.map(({ look, points, segments, hasDots }) => [
    ...segments.flatMap((segment) =>
      hasDots || segment.length === 1 ? segment.map((one) => dot(one, `full ${look}`)) : [],
    ),
    ...points.flatMap((one, run) => (joins[run] === 'apart' && isValued(one) ? [dot(one, 'hollow')] : [])),
  ])
  function dot({ place, value }: ValuedPoint, kind: string): SafeHtml {
    return html`<circle
      class="dot ${kind}"
      cx="${percentAlong(across(place))}"
      cy="${y(value)}"
      r="3"
    ></circle>`
  }
  const body = html`${gridOf(axis, from === 'least')}${marks.map(({ place, kind }) => {
    const x = percentAlong(across(place))
    return html`<line class="mark ${kind}" x1="${x}" x2="${x}" y1="${PLOT.top}" y2="${PLOT.bottom}"></line>`
  })}${stretched(html`${paths}`)}${dots}${ticksBelow(ticks.map((tick) => ({ ...tick, place: across(tick.place) })))}`
  return chart(id, texts, body)
}

export interface ValuedPoint extends RunPoint {
  readonly value: number
}

const isValued = (point: RunPoint): point is ValuedPoint => point.value !== null

/** Stretches that a line may join: it passes runs that are apart, and breaks where a value is missing or a new line begins. */
function segmentsOf(points: readonly RunPoint[], joins: OverRuns['joins']): ValuedPoint[][] {
  const segments: ValuedPoint[][] = [[]]
  for (const [run, point] of points.entries()) {
    const join = joins[run]
    if (join === 'begins' || (join === 'joined' && point.value === null)) segments.push([])
    if (join !== 'apart' && isValued(point)) segments.at(-1)?.push(point)
  }
  return segments.filter(({ length }) => length > 0)
}
