// Tables of the report page: with a caption and scopes, in a box that scrolls where they are wider than the page.
import { html, type SafeHtml } from '../html.ts'

type Cell = string | SafeHtml

export interface TableParts {
  readonly caption: string
  /** The header first; the first cell of each row names it. */
  readonly rows: readonly (readonly Cell[])[]
  /** Columns that hold words: they stand at the left and may wrap. */
  readonly words?: readonly number[]
  /** Its heading says the same already: kept for those who hear the page. */
  readonly isCaptionHidden?: boolean
  /** Stays a table on a narrow page, and is scrolled there; a row of many figures would fill a screen. */
  readonly isCompact?: boolean
}

export function table({
  caption,
  rows,
  words = [],
  isCaptionHidden = false,
  isCompact = false,
}: TableParts): SafeHtml {
  const [header = [], ...body] = rows
  const kind = (column: number): string => (column === 0 || words.includes(column) ? 'word' : 'number')
  const names = header.map((cell) => (typeof cell === 'string' ? cell.replace(/\?$/, '') : ''))
  // The roles stay where a narrow page shows the rows as blocks.
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table class="${words.length > 0 && !isCompact ? 'data wordy' : 'data'}" role="table">
      <caption class="${isCaptionHidden ? 'unseen' : 'seen'}">
        ${caption}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${header.map((cell, column) =>
            cell === ''
              ? html`<td role="cell"></td>`
              : html`<th scope="col" role="columnheader" class="${kind(column)}" dir="auto">${cell}</th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${body.map((row) => tableRow(row, kind, names))}
      </tbody>
    </table>
  </div>`
}

const tableRow = (
  [first = '', ...rest]: readonly Cell[],
  kind: (column: number) => string,
  names: readonly string[],
): SafeHtml =>
  html`<tr role="row">
    <th scope="row" role="rowheader" class="word" dir="auto">${first}</th>
    ${rest.map(
      (cell, place) =>
        html`<td
          role="cell"
          class="${cell === '' ? 'blank' : kind(place + 1)}"
          data-name="${names[place + 1] ?? ''}"
          dir="auto"
        >
          ${cell}
        </td>`,
    )}
  </tr>`

/** The figures of a chart, for whoever wants or needs them as text. */
export const dataBeside = (label: string, parts: TableParts): SafeHtml =>
  html`<details class="beside">
    <summary>${label}</summary>
    ${table(parts)}
  </details>`
