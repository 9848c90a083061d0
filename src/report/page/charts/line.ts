// A value over time, or from run to run: a line over a scale that begins at nothing.
import { html, type SafeHtml } from '../html.ts'
import {
  ACROSS,
  stretched,
  chart,
  down,
  gridOf,
  percentAlong,
  PLOT,
  REFERENCE_HEIGHT,
  referenceLine,
  ticksBelow,
  type ChartTexts,
} from './plot.ts'
import { axisFromZero, pathThrough, type Tick } from './scales.ts'

export interface LinePoint {
  /** 0 to 1 across. */
  readonly place: number
  /** Null: none, and a gap in the line. */
  readonly value: number | null
  /** Drawn as a dot: hollow for what is worth a look. */
  readonly dot: 'none' | 'full' | 'hollow'
}

export interface Pause {
  readonly from: number
  readonly to: number
  /** Why, in a word; empty for none. */
  readonly label: string
}

export interface LineParts {
  readonly points: readonly LinePoint[]
  /** Dots that the line does not pass through. */
  readonly beside?: readonly LinePoint[]
  readonly kind: 'step' | 'straight'
  readonly ticks: readonly Tick[]
  readonly format: (value: number) => string
  /** Share of the width that the values of the grid take. */
  readonly labelWidth: number
  /** Times in which nothing was sent, 0 to 1 across. */
  readonly pauses?: readonly Pause[]
  /** A value to hold the line against. */
  readonly reference?: { readonly value: number; readonly label: string } | undefined
}

export function lineOverTime(id: string, texts: ChartTexts, parts: LineParts): SafeHtml {
  const { points, beside = [], kind, ticks, format, labelWidth, pauses = [], reference } = parts
  // The values of the grid stand at the left: the line begins beside them.
  const across = (place: number): number => labelWidth + (1 - labelWidth) * place
  const values = [...[...points, ...beside].map(({ value }) => value ?? 0), reference?.value ?? 0]
  const most = values.reduce((high, value) => Math.max(high, value), 0)
  const axis = axisFromZero(most, 3, format)
  const height = reference === undefined ? PLOT.height : PLOT.height + REFERENCE_HEIGHT
  const path = pathThrough(
    points.map(({ place, value }) => ({
      x: across(place) * ACROSS,
      y: value === null ? null : down(axis.place(value)),
    })),
    kind,
  )
  const dots = [...points, ...beside].flatMap(({ place, value, dot }) =>
    value === null || dot === 'none'
      ? []
      : [
          html`<circle
            class="dot ${dot}"
            cx="${percentAlong(across(place))}"
            cy="${down(axis.place(value))}"
            r="4"
          ></circle>`,
        ],
  )
  const body = html`${gridOf(axis)}${pauses.map((pause) => pauseBand(pause, across))}${
    reference === undefined ? '' : referenceLine(axis.place(reference.value), reference.label)
  }${stretched(html`<path class="line" d="${path}" vector-effect="non-scaling-stroke"></path>`, height)}${dots}${ticksBelow(ticks.map((tick) => ({ ...tick, place: across(tick.place) })))}`
  return chart(id, texts, body, height)
}

const pauseBand = ({ from, to, label }: Pause, across: (place: number) => number): SafeHtml => {
  const [left, right] = [across(Math.max(0, from)), across(Math.min(1, to))]
  return html`<rect
      class="pause"
      x="${percentAlong(left)}"
      width="${percentAlong(Math.max(0.002, right - left))}"
      y="${PLOT.top}"
      height="${PLOT.bottom - PLOT.top}"
    ></rect
    ><text class="why" aria-hidden="true" x="${percentAlong((left + right) / 2)}" y="${PLOT.top - 6}"
      >${label}</text
    >`
}
