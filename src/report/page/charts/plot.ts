// The frame of a chart: as wide as its place, its signs as large as the text around it; across in percent, down in pixels.
import { html, type SafeHtml } from '../html.ts'
import type { Axis, Tick } from './scales.ts'

export const percentAlong = (share: number): string =>
  `${Number((Math.min(1, Math.max(0, share)) * 100).toFixed(2))}%`

/** Room above for a label, below for the ticks, in pixels. */
export const PLOT = { height: 190, top: 22, bottom: 166 } as const

export const down = (share: number): number =>
  Number((PLOT.bottom - Math.min(1, Math.max(0, share)) * (PLOT.bottom - PLOT.top)).toFixed(1))

export interface ChartTexts {
  /** What the picture shows, in a short name and in sentences. */
  readonly label: string
  readonly description: string
}

/** `id` is unique in the page; `height` in pixels. */
export function chart(
  id: string,
  { label, description }: ChartTexts,
  body: SafeHtml,
  height: number = PLOT.height,
): SafeHtml {
  return html`<svg
    class="chart"
    width="100%"
    height="${height}"
    role="img"
    aria-labelledby="${id}-title ${id}-desc"
    focusable="false"
  >
    <title id="${id}-title">${label}</title>
    <desc id="${id}-desc">${description}</desc>
    ${body}
  </svg>`
}

/** Units across of what is drawn in `stretched`. */
export const ACROSS = 1000

/** Lines and areas, drawn `ACROSS` wide and as wide as the chart; `height` in pixels. */
export const stretched = (body: SafeHtml, height: number = PLOT.height): SafeHtml =>
  html`<svg
    x="0"
    y="0"
    width="100%"
    height="${height}"
    viewBox="0 0 ${ACROSS} ${height}"
    preserveAspectRatio="none"
  >
    ${body}
  </svg>`

/** Lines across with their values: the values stand on the lines, so that they take no width. The ground is named where it is not 0. */
export const gridOf = ({ ticks }: Axis, isGroundNamed = false): SafeHtml =>
  html`<g class="grid" aria-hidden="true"
    >${ticks.map(
      ({ place, label }) =>
        html`<line x1="0" x2="100%" y1="${down(place)}" y2="${down(place)}"></line
          ><text x="0" y="${down(place) - 4}">${place === 0 && !isGroundNamed ? '' : label}</text>`,
    )}</g
  >`

export const ticksBelow = (ticks: readonly Tick[]): SafeHtml =>
  html`<g class="ticks" aria-hidden="true"
    >${ticks.map(
      ({ place, label }) =>
        html`<line
            x1="${percentAlong(place)}"
            x2="${percentAlong(place)}"
            y1="${PLOT.bottom}"
            y2="${PLOT.bottom + 5}"
          ></line
          ><text class="${anchorAt(place)}" x="${percentAlong(place)}" y="${PLOT.bottom + 18}"
            >${label}</text
          >`,
    )}</g
  >`

/** A value to hold the chart against; its words stand over the chart's end: nothing that is drawn can cross them. */
export const referenceLine = (share: number, label: string): SafeHtml =>
  html`<g class="reference" aria-hidden="true"
    ><line x1="0" x2="100%" y1="${down(share)}" y2="${down(share)}"></line
    ><text class="end" x="100%" y="${PLOT.bottom + 34}">${label}</text></g
  >`

/** Below the ticks there is room for the words of the reference. */
export const REFERENCE_HEIGHT = 18

/** At the ends a label would be cut off if it stood in its middle. */
export const anchorAt = (place: number): string => (place < 0.06 ? 'start' : place > 0.94 ? 'end' : 'middle')
