// Several lines over one scale: told apart by their dashes and widths as well as their colours, with a legend that names them.
import { html, type SafeHtml } from '../html.ts'
import { legend, lineItem } from './legend.ts'
import { ACROSS, chart, down, gridOf, percentAlong, stretched, ticksBelow, type ChartTexts } from './plot.ts'
import { axisFromZero, pathThrough, type Tick } from './scales.ts'

export interface LineSeries {
  /** `main` is solid, `beside` dashed; `thick` and `thin` tell two of each apart. */
  readonly look: 'main thick' | 'main thin' | 'beside thick' | 'beside thin'
  readonly label: string
  /** 0 to 1 across, in this order; a value of null is a gap. */
  readonly points: readonly { readonly place: number; readonly value: number | null }[]
}

export interface LinesParts {
  readonly series: readonly LineSeries[]
  readonly ticks: readonly Tick[]
  readonly format: (value: number) => string
  /** Share of the width that the values of the grid take. */
  readonly labelWidth: number
}

/** `id` is unique in the page. Series without any value are not drawn, and not in the legend. */
export function linesOver(id: string, texts: ChartTexts, parts: LinesParts): SafeHtml {
  const { ticks, format, labelWidth } = parts
  const series = parts.series.filter(({ points }) => points.some(({ value }) => value !== null))
  const across = (place: number): number => labelWidth + (1 - labelWidth) * place
  const most = series
    .flatMap(({ points }) => points)
    .reduce((high, { value }) => Math.max(high, value ?? 0), 0)
  const axis = axisFromZero(most, 3, format)
  const paths = series.map(({ look, points }) => {
    const path = pathThrough(
      points.map(({ place, value }) => ({
        x: across(place) * ACROSS,
        y: value === null ? null : down(axis.place(value)),
      })),
      'straight',
    )
    return html`<path class="line ${look}" d="${path}" vector-effect="non-scaling-stroke"></path>`
  })
  const body = html`${gridOf(axis)}${stretched(html`${paths}`)}${series.map((one) => lonePoints(one, across, axis.place))}${ticksBelow(
    ticks.map((tick) => ({ ...tick, place: across(tick.place) })),
  )}`
  return html`${chart(id, texts, body)}${legend(series.map(lineItem))}`
}

/** A point between two gaps has no line that would show it. */
function lonePoints(
  { points, look }: LineSeries,
  across: (place: number) => number,
  placeOf: (value: number) => number,
): SafeHtml[] {
  return points.flatMap(({ place, value }, number) => {
    const isLone =
      (points[number - 1]?.value ?? null) === null && (points[number + 1]?.value ?? null) === null
    if (value === null || !isLone) return []
    return [
      html`<circle
        class="dot ${look}"
        cx="${percentAlong(across(place))}"
        cy="${down(placeOf(value))}"
        r="3"
      ></circle>`,
    ]
  })
}
