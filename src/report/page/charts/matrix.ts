// Counts by where they come from and where they go, as a table whose cells are the stronger in colour the more they hold.
import { digits } from '../../../domain/text.ts'
import { html, type SafeHtml } from '../html.ts'

export interface MatrixCell {
  readonly count: number
  /** How the cell is to be seen: kept, for the worse, for the better, other. */
  readonly kind: 'kept' | 'worse' | 'better' | 'moved'
}

export interface MatrixParts {
  readonly caption: string
  /** Over the rows' names. */
  readonly corner: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly label: string; readonly cells: readonly MatrixCell[] }[]
  /** What a cell means, for whoever does not see its colour. */
  readonly kinds: Readonly<Record<MatrixCell['kind'], string>>
}

const SIGNS: Readonly<Record<MatrixCell['kind'], string>> = { kept: '', worse: '▼ ', better: '▲ ', moved: '' }

export function matrix({ caption, corner, columns, rows, kinds }: MatrixParts): SafeHtml {
  const most = rows.flatMap(({ cells }) => cells).reduce((high, { count }) => Math.max(high, count), 0)
  return html`<div class="scroll edged" role="region" aria-label="${caption}" tabindex="0">
    <table class="matrix">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${corner}</th>
          ${columns.map((name) => html`<th scope="col" dir="auto">${breakable(name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ label, cells }) =>
            html`<tr>
              <th scope="row" dir="auto">${breakable(label)}</th>
              ${cells.map((cell) => matrixCell(cell, most, kinds))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** A name such as KNOWLEDGE_BASE may go on in the next line after its joints. */
const breakable = (name: string): SafeHtml =>
  html`${name
    .split(/(?<=[_./-])/)
    .map((part, place) => (place === 0 ? html`${part}` : html`<wbr />${part}`))}`

function matrixCell({ count, kind }: MatrixCell, most: number, kinds: MatrixParts['kinds']): SafeHtml {
  if (count === 0) return html`<td class="none">0</td>`
  // Roots, so that a few turns do not look like none beside many.
  const depth = Math.max(1, Math.round(4 * Math.sqrt(count / most)))
  return html`<td class="${kind} depth-${depth}">
    ${SIGNS[kind]}${digits(count)}<span class="unseen"> ${kinds[kind]}</span>
  </td>`
}
