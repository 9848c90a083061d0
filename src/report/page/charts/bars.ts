// Shares as bars with their intervals, a row each: a table whose cells hold the bars, so that words stay words at any width.
import { html, type SafeHtml } from '../html.ts'
import { percentAlong } from './plot.ts'

export interface BarRow {
  readonly label: SafeHtml
  /** 0 to 1; null: there is none, and no bar. */
  readonly share: number | null
  readonly low: number | null
  readonly high: number | null
  /** So uncertain that the bar is only outlined. */
  readonly few: boolean
  /** The share and its interval in words. */
  readonly words: string
  readonly count: string
}

export interface BarTexts {
  readonly caption: string
  readonly label: string
  readonly share: string
  readonly words: string
  readonly count: string
}

const HEIGHT = 20

export function barsWithIntervals(rows: readonly BarRow[], texts: BarTexts): SafeHtml {
  return html`<table class="bars" role="table">
    <caption>
      ${texts.caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th scope="col" role="columnheader">${texts.label}</th>
        <th scope="col" role="columnheader" class="plot">
          <span class="unseen">${texts.share}</span>${scaleOfShares()}
        </th>
        <th scope="col" role="columnheader" class="words">${texts.words}</th>
        <th scope="col" role="columnheader" class="number">${texts.count}</th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(barRow)}
    </tbody>
  </table>`
}

const barRow = (row: BarRow): SafeHtml =>
  html`<tr role="row">
    <th scope="row" role="rowheader">${row.label}</th>
    <td role="cell" class="plot">${barWithInterval(row)}</td>
    <td role="cell" class="words">${row.words}</td>
    <td role="cell" class="number">${row.count}</td>
  </tr>`

/** Hidden from those who hear the page: the words beside it say the same. */
export function barWithInterval({
  share,
  low,
  high,
  few,
}: Pick<BarRow, 'share' | 'low' | 'high' | 'few'>): SafeHtml {
  return html`<svg class="bar" width="100%" height="${HEIGHT}" aria-hidden="true" focusable="false">
    <rect class="track" x="0" y="3" width="100%" height="${HEIGHT - 6}"></rect>
    ${share === null ? '' : html`<rect class="${few ? 'share few' : 'share'}" x="0" y="3" width="${percentAlong(share)}" height="${HEIGHT - 6}"></rect>`}${
      low === null || high === null ? '' : interval(low, high)
    }
  </svg>`
}

/** A light edge keeps the line apart from the bar that it crosses. */
function interval(low: number, high: number): SafeHtml {
  const [left, right] = [percentAlong(low), percentAlong(high)]
  const [top, middle, bottom] = [5, HEIGHT / 2, HEIGHT - 5]
  return html`${['edge', 'interval'].map(
    (kind) =>
      html`<g class="${kind}"
        ><line x1="${left}" x2="${right}" y1="${middle}" y2="${middle}"></line
        ><line x1="${left}" x2="${left}" y1="${top}" y2="${bottom}"></line
        ><line x1="${right}" x2="${right}" y1="${top}" y2="${bottom}"></line
      ></g>`,
  )}`
}

const scaleOfShares = (): SafeHtml =>
  html`<svg class="scale" width="100%" height="16" aria-hidden="true" focusable="false">
    <text x="0" y="12">0 %</text>
    <text class="middle" x="50%" y="12">50 %</text>
    <text class="end" x="100%" y="12">100 %</text>
  </svg>`
