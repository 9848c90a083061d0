// Counts over time as columns in parts: light, dark, hatched (or of the knowledge base), so that they are told apart without colour.
import { html, type SafeHtml } from '../html.ts'
import { legend } from './legend.ts'
import {
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
import { axisFromZero, type Tick } from './scales.ts'

/** `kb`: from the knowledge base, in its colour. */
export const SHADES = ['light', 'dark', 'hatched', 'kb'] as const
type Shade = (typeof SHADES)[number]

export interface ColumnSeries {
  readonly shade: Shade
  readonly label: string
  /** One value a column, as many in each series. */
  readonly values: readonly number[]
}

export interface ColumnParts {
  /** From the ground up. */
  readonly series: readonly ColumnSeries[]
  /** Where a column begins and ends, 0 to 1 across. */
  readonly span: (column: number) => { readonly from: number; readonly to: number }
  readonly ticks: readonly Tick[]
  readonly format: (value: number) => string
  /** Share of the width that the values of the grid take. */
  readonly labelWidth: number
  /** Where the scale ends, for shares of a whole; else at a round number over the highest column. */
  readonly most?: number
  /** A value to hold the columns against. */
  readonly reference?: { readonly value: number; readonly label: string } | undefined
}

/** `id` is unique in the page. Series without any value are not drawn, and not in the legend. */
export function columnsOverTime(
  id: string,
  texts: ChartTexts,
  { series, span, ticks, format, labelWidth, most, reference }: ColumnParts,
): SafeHtml {
  const drawn = series.filter(({ values }) => values.some((value) => value > 0))
  const columns = drawn[0]?.values.length ?? 0
  const heights = Array.from({ length: columns }, (_, column) =>
    drawn.reduce((sum, { values }) => sum + (values[column] ?? 0), 0),
  )
  const axis = axisFromZero(
    most ?? [...heights, reference?.value ?? 0].reduce((high, one) => Math.max(high, one), 0),
    3,
    format,
  )
  const across = (place: number): number => labelWidth + (1 - labelWidth) * place
  const ground = heights.map(() => 0)
  const rectangles = drawn.flatMap(({ shade, values }) =>
    values.flatMap((value, column) => {
      if (value === 0) return []
      const bottom = ground[column] ?? 0
      ground[column] = bottom + value
      const { from, to } = span(column)
      const [low, high] = [down(axis.place(bottom)), down(axis.place(bottom + value))]
      return [
        html`<rect
          class="bin ${shade}"
          fill="${fillOf(id, shade)}"
          x="${percentAlong(across(from))}"
          width="${percentAlong((to - from) * (1 - labelWidth))}"
          y="${high}"
          height="${Number((low - high).toFixed(1))}"
        ></rect>`,
      ]
    }),
  )
  const below = ticksBelow(ticks.map((tick) => ({ ...tick, place: across(tick.place) })))
  const line = reference === undefined ? '' : referenceLine(axis.place(reference.value), reference.label)
  const body = html`${hatching(id)}${gridOf(axis)}${rectangles}${line}${below}`
  const items = drawn.map(({ shade, label }) => ({
    words: label,
    sign: html`<rect
      class="bin ${shade}"
      fill="${fillOf(id, shade)}"
      x="1"
      y="1"
      width="16"
      height="16"
    ></rect>`,
    width: 18,
  }))
  return html`${chart(id, texts, body, reference === undefined ? PLOT.height : PLOT.height + REFERENCE_HEIGHT)}${legend(items)}`
}

const fillOf = (id: string, shade: Shade): string => (shade === 'hatched' ? `url(#${id}-hatched)` : 'none')

const hatching = (id: string): SafeHtml =>
  html`<defs
    ><pattern id="${id}-hatched" class="hatching" width="6" height="6" patternUnits="userSpaceOnUse"
      ><path d="M-1 7L7 -1"></path></pattern
  ></defs>`
