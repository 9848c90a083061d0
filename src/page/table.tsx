// A table of a document as a component, and what it shares with lists: the card, the bar, the folded rest.
import type { ComponentChildren } from 'preact'
import { digits } from '../domain/format.ts'
import { firstOf, type Bar, type Table, type Titled } from '../report/document.ts'
import { Anchor, titleText, Words } from './text.tsx'

export const MAX_ROWS = 500
/** The rest is folded; a rest of two is not worth it. */
export const atOnce = (all: readonly unknown[]): number => (all.length <= 8 ? all.length : 6)

/** Filled to the rate; a thin line shows the interval. Attributes, since the policy forbids inline styles. */
export const BarView = ({ bar: { rate, low, high } }: { readonly bar: Bar }) => (
  <svg class="bar-view" width="100%" height="8" aria-hidden="true">
    <rect class="track" width="100%" height="8" rx="2" />
    <rect class="fill" width={percentOf(rate)} height="8" rx="2" />
    {low === undefined || high === undefined ? null : (
      <line class="interval" x1={percentOf(low)} x2={percentOf(high)} y1="4" y2="4" />
    )}
  </svg>
)

const percentOf = (share: number): string => `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`

interface CardProps {
  readonly block: Titled
  readonly isHalf: boolean
  readonly count?: string
  readonly children: ComponentChildren
}

export function Card({ block, isHalf, count, children }: CardProps) {
  const { title, isMinor, link } = block
  const heading = (
    <h3>
      <Words text={title} />
      {count === undefined ? null : <span class="count">{count}</span>}
    </h3>
  )
  const content = (
    <>
      {children}
      {link === undefined ? null : (
        <p class="all">
          <Anchor to={link}>Show these conversations</Anchor>
        </p>
      )}
    </>
  )
  const className = `card ${isHalf ? 'half' : ''}`
  return isMinor === true ? (
    <details class={className}>
      <summary>{heading}</summary>
      {content}
    </details>
  ) : (
    <div class={className}>
      {heading}
      {content}
    </div>
  )
}

/** Two tables of a few short columns stand side by side. */
const isNarrow = ({ columns, rows }: Table): boolean =>
  columns.length < 4 && rows.every(({ cells }) => cells.map(titleText).join('').length < 60)

export function TableView({ table }: { readonly table: Table }) {
  const { columns, words = 1, rows, total } = table
  const { shown, more } = firstOf(rows, MAX_ROWS, total)
  const sideOf = (index: number): string => (index < words ? '' : 'right')
  return (
    <Card block={table} isHalf={isNarrow(table)}>
      <div class="scroll" tabIndex={0}>
        <table>
          {columns.every((label) => label === '') ? null : (
            <thead>
              <tr>
                {columns.map((label, index) =>
                  label === '' ? (
                    <td />
                  ) : (
                    <th scope="col" class={sideOf(index)}>
                      <Words text={label} />
                    </th>
                  ),
                )}
              </tr>
            </thead>
          )}
          <tbody>
            {shown.map(({ cells: [first = '', ...cells], bar, tone }, row) => (
              <tr class={`${tone ?? ''} ${row >= atOnce(shown) ? 'extra' : ''}`}>
                <th scope="row">
                  <Words text={first} />
                  {bar === undefined ? null : <BarView bar={bar} />}
                </th>
                {cells.map((cell, index) => (
                  <td class={sideOf(index + 1)}>
                    <Words text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <More hidden={shown.length - atOnce(shown)} beyond={more} />
    </Card>
  )
}

export const A_PAGE = 200

export const ShowMore = ({ count, show }: { readonly count: number; readonly show: () => void }) =>
  count <= 0 ? null : (
    <button type="button" class="link" onClick={show}>
      {digits(count)} more
    </button>
  )

/** When open, CSS shows the other rows. */
export const More = ({ hidden, beyond }: { readonly hidden: number; readonly beyond: number }) => (
  <>
    {hidden <= 0 ? null : (
      <details class="more">
        <summary>{hidden} more</summary>
      </details>
    )}
    {beyond <= 0 ? null : <p class="muted">{beyond} more in the files of the run</p>}
  </>
)
