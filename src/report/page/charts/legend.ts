// What the looks and signs of a chart mean: of each a small picture, and words.
import { html, type SafeHtml } from '../html.ts'

export interface LegendItem {
  readonly words: string | SafeHtml
  /** What stands in the picture, 18 pixels high. */
  readonly sign: SafeHtml
  /** Of the picture, in pixels. */
  readonly width: number
}

export const legend = (items: readonly LegendItem[]): SafeHtml =>
  html`<ul class="legend">
    ${items.map(
      ({ words, sign, width }) =>
        html`<li>
          <svg class="swatch" width="${width}" height="18" aria-hidden="true" focusable="false">${sign}</svg>
          <span>${words}</span>
        </li>`,
    )}
  </ul>`

export const lineItem = ({ look, label }: { readonly look: string; readonly label: string }): LegendItem => ({
  words: label,
  sign: html`<line class="line ${look}" x1="0" x2="30" y1="9" y2="9"></line>`,
  width: 30,
})
