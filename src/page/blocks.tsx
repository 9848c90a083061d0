// The blocks of a document in the page: tiles, tables, lists that fold, notes, charts.
import type { ComponentChildren } from 'preact'
import {
  firstOf,
  LIMITS,
  type Bar,
  type Block,
  type Figure,
  type Item,
  type List,
  type Row,
  type Table,
  type Tone,
} from '../report/document.ts'
import { ChartView } from './charts.tsx'
import { Anchor, plainText, Words } from './text.tsx'

const { text: MOST_TEXT, rows: MOST_ROWS } = LIMITS.page
/** Of a table or list before the rest folds. */
const AT_ONCE = 8

export const ICONS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', warn: '!', muted: '·' }

export function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'figures':
      return <Tiles figures={block.figures} />
    case 'note':
      return (
        <p class={`note ${block.tone}`}>
          <span aria-hidden="true">{ICONS[block.tone]}</span> <Words text={block.text} most={MOST_TEXT} />
        </p>
      )
    case 'table':
      return block.rows.length === 0 ? null : <TableView table={block} />
    case 'list':
      return block.items.length === 0 ? null : <ListView list={block} />
    case 'chart':
      return (
        <Card block={block}>
          <ChartView chart={block.chart} title={plainText(block.title)} />
        </Card>
      )
  }
}

const Tiles = ({ figures }: { readonly figures: readonly Figure[] }) => (
  <ul class="tiles">
    {figures.map((figure) => (
      <li>
        {figure.link === undefined ? (
          <div class="tile">
            <Tile figure={figure} />
          </div>
        ) : (
          <Anchor to={figure.link} class="tile">
            <Tile figure={figure} />
          </Anchor>
        )}
      </li>
    ))}
  </ul>
)

const Tile = ({ figure: { label, value, of, bar, note, change, tone } }: { readonly figure: Figure }) => (
  <>
    <span class="label">{label}</span>
    <span class={`value ${tone ?? ''}`}>
      {value} {of === undefined ? null : <small>{of}</small>}
    </span>
    {bar === undefined ? null : <BarView bar={bar} />}
    {change === undefined ? null : <span class={`change ${change.tone}`}>{change.value}</span>}
    {note === undefined ? null : (
      <small class="muted">
        <Words text={note} most={MOST_TEXT} />
      </small>
    )}
  </>
)

/** Filled to the rate; the interval is a thin line. No inline style: the policy forbids it. */
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

/** A block with its heading; folded where it is for those who look for it. */
function Card({
  block: { title, total, half, fold, link },
  count,
  children,
}: {
  readonly block: Pick<Table, 'title' | 'total' | 'half' | 'fold' | 'link'>
  readonly count?: number
  readonly children: ComponentChildren
}) {
  const number = total ?? count
  const heading = (
    <>
      <Words text={title} most={MOST_TEXT} />
      {number === undefined ? null : <span class="count">{number}</span>}
    </>
  )
  const all =
    link === undefined ? null : (
      <p class="all">
        <Anchor to={link}>Show these conversations</Anchor>
      </p>
    )
  if (fold === true)
    return (
      <details class={`card ${half === true ? 'half' : ''}`}>
        <summary>
          <h3>{heading}</h3>
        </summary>
        {children}
        {all}
      </details>
    )
  return (
    <div class={`card ${half === true ? 'half' : ''}`}>
      <h3>{heading}</h3>
      {children}
      {all}
    </div>
  )
}

function TableView({ table }: { readonly table: Table }) {
  const { columns, rows, total } = table
  const { shown, more } = firstOf(rows, MOST_ROWS, total)
  const hasBars = rows.some(({ bar }) => bar !== undefined)
  const alignOf = (place: number): string =>
    (columns[place]?.align ?? (place === 0 ? 'left' : 'right')) === 'right' ? 'right' : ''
  const line = ({ cells, bar, tone }: Row, place: number) => (
    <tr class={`${tone ?? ''} ${place >= AT_ONCE ? 'extra' : ''}`}>
      {cells.flatMap((cell, column) => {
        const shownCell = <Words text={cell} most={MOST_TEXT} />
        const own =
          column === 0 ? <th scope="row">{shownCell}</th> : <td class={alignOf(column)}>{shownCell}</td>
        const barCell = <td class="bar-cell">{bar === undefined ? null : <BarView bar={bar} />}</td>
        return column === 0 && hasBars ? [own, barCell] : [own]
      })}
    </tr>
  )
  return (
    <Card block={table} {...(rows.length > AT_ONCE ? { count: rows.length } : {})}>
      <div class="scroll" tabIndex={0}>
        <table>
          {columns.every(({ label }) => label === '') ? null : (
            <thead>
              <tr>
                {columns.flatMap(({ label }, place) => {
                  const head =
                    label === '' ? (
                      <td />
                    ) : (
                      <th scope="col" class={alignOf(place)}>
                        <Words text={label} most={MOST_TEXT} />
                      </th>
                    )
                  return place === 0 && hasBars ? [head, <td class="bar-cell" />] : [head]
                })}
              </tr>
            </thead>
          )}
          <tbody>{shown.map(line)}</tbody>
        </table>
      </div>
      <More hidden={shown.length - AT_ONCE} beyond={more} />
    </Card>
  )
}

function ListView({ list }: { readonly list: List }) {
  const { items, total } = list
  const { shown, more } = firstOf(items, MOST_ROWS, total)
  return (
    <Card block={list} count={items.length}>
      <ul class="items">
        {shown.map((item, place) => (
          <li class={place >= AT_ONCE ? 'extra' : ''}>
            <ItemView item={item} />
          </li>
        ))}
      </ul>
      <More hidden={shown.length - AT_ONCE} beyond={more} />
    </Card>
  )
}

function ItemView({ item: { text, count, details = [], tone } }: { readonly item: Item }) {
  const head = (
    <>
      {count === undefined ? null : <span class="count">{count}</span>}
      <span class={tone ?? ''}>
        <Words text={text} most={MOST_TEXT} />
      </span>
    </>
  )
  if (details.length === 0) return head
  return (
    <>
      {head}
      {/* Beside the head, not around it: a link within a summary is no control of its own. */}
      <details>
        <summary>{count === undefined ? 'Why' : 'Questions'}</summary>
        <ul>
          {details.map((one) => (
            <li>
              <Words text={one} most={MOST_TEXT} />
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}

/** Opened, it shows the rows behind the first ones (by style alone). */
const More = ({ hidden, beyond }: { readonly hidden: number; readonly beyond: number }) => (
  <>
    {hidden <= 0 ? null : (
      <details class="more">
        <summary>{hidden} more</summary>
      </details>
    )}
    {beyond <= 0 ? null : <p class="muted">{beyond} more in the files of the run</p>}
  </>
)
