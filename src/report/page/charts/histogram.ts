// How often each duration came, with marks where the percentiles lie.
import type { LatencyHistogram } from '../../../domain/latency-histogram.ts'
import { digits } from '../../../domain/text.ts'
import { html, type SafeHtml } from '../html.ts'
import { anchorAt, chart, down, gridOf, percentAlong, PLOT, ticksBelow, type ChartTexts } from './plot.ts'
import { axisFromZero } from './scales.ts'

export interface Mark {
  /** In the unit of the bins. */
  readonly value: number
  readonly label: string
}

/** More labels than these would touch each other on a telephone. */
const MOST_LABELS = 4

export function histogram(
  id: string,
  bins: LatencyHistogram,
  {
    format,
    marks,
    ...texts
  }: ChartTexts & { readonly format: (edge: number) => string; readonly marks: readonly Mark[] },
): SafeHtml {
  const most = bins.reduce((high, { count }) => Math.max(high, count), 0)
  const axis = axisFromZero(most, 4, (value) => (Number.isInteger(value) ? digits(value) : ''))
  const width = 1 / bins.length
  const bars = bins.map(({ count }, place) => {
    const top = down(axis.place(count))
    return html`<rect
      class="column"
      x="${percentAlong(place * width)}"
      width="${percentAlong(width)}"
      y="${top}"
      height="${PLOT.bottom - top}"
    ></rect>`
  })
  const every = Math.ceil(bins.length / MOST_LABELS)
  const edges = [...bins.map(({ from }) => from), bins.at(-1)?.to ?? 0]
  const ticks = edges
    .map((edge, place) => ({ place: place * width, label: format(edge), number: place }))
    .filter(({ number }) => number % every === 0)
  return chart(id, texts, html`${gridOf(axis)}${bars}${marksOver(bins, marks)}${ticksBelow(ticks)}`)
}

/** Nearer than this their labels would touch, on a telephone at least: the second stands a line lower. */
const NEAR = 0.5

function marksOver(bins: LatencyHistogram, marks: readonly Mark[]): SafeHtml {
  const placed = marks.map((mark) => ({ ...mark, place: placeIn(bins, mark.value) }))
  return html`<g class="marks" aria-hidden="true"
    >${placed.map(({ place, label }, number) => {
      const before = placed[number - 1]?.place ?? Number.NEGATIVE_INFINITY
      const [x, y] = [percentAlong(place), place - before < NEAR ? 24 : 10]
      return html`<line x1="${x}" x2="${x}" y1="${y + 2}" y2="${PLOT.bottom}"></line
        ><text class="${anchorAt(place)}" x="${x}" y="${y}">${label}</text>`
    })}</g
  >`
}

/** 0 to 1 across the bins. */
function placeIn(bins: LatencyHistogram, value: number): number {
  const found = bins.findIndex(({ to }) => value < to)
  const bin = bins[found]
  if (bin === undefined) return 1
  const within = Math.max(0, (value - bin.from) / (bin.to - bin.from))
  return (found + within) / bins.length
}
