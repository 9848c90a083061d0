// The blocks of a document as components: tiles, tables, lists, notes, charts.
import type { ComponentChildren } from 'preact'
import {
  countOf,
  firstOf,
  isEmpty,
  LIMITS,
  MARKS,
  type Bar,
  type Block,
  type Figure,
  type Item,
  type List,
  type Table,
} from '../report/document.ts'
import { ChartView } from './charts.tsx'
import { Anchor, titleText, Words } from './text.tsx'

const MAX_ROWS = LIMITS.page.rows
/** Rows or items that are shown before the rest is folded; a rest of two is not worth it. */
const atOnce = (all: readonly unknown[]): number => (all.length <= 8 ? all.length : 6)

/** A block of a document; nothing for an empty table or list. */
export function BlockView({ block }: { readonly block: Block }) {
  if (isEmpty(block)) return null
  switch (block.kind) {
    case 'figures':
      return <Tiles figures={block.figures} />
    case 'note':
      return (
        <p class={`note ${block.tone}`}>
          <span aria-hidden="true">{MARKS[block.tone]}</span> <Words text={block.text} />
        </p>
      )
    case 'table':
      return <TableView table={block} />
    case 'list':
      return <ListView list={block} />
    case 'chart':
      return (
        <Card block={{ title: block.title, half: true }}>
          <ChartView chart={block.chart} title={titleText(block.title)} />
        </Card>
      )
  }
}

const Tiles = ({ figures }: { readonly figures: readonly Figure[] }) => (
  <ul class="tiles">
    {figures.map(({ link, ...figure }) => (
      <li>
        <Anchor to={link} class="tile">
          <Tile {...figure} />
        </Anchor>
      </li>
    ))}
  </ul>
)

const Tile = ({ label, value, of, bar, note, change, tone }: Figure) => (
  <>
    <span class="label">{label}</span>
    <span class={`value ${tone ?? ''}`}>
      {value} {of === undefined ? null : <small class="muted">{of}</small>}
    </span>
    {bar === undefined ? null : <BarView bar={bar} />}
    {change === undefined ? null : <span class={`change ${change.tone}`}>{change.value}</span>}
    {note === undefined ? null : (
      <small class="muted">
        <Words text={typeof note === 'string' ? unbroken(note) : note} />
      </small>
    )}
  </>
)

/** A number stays with its unit. */
const unbroken = (text: string): string => text.replaceAll(/(?<=\d) (?=%|\d|m?s\b|min)/g, '\u00a0')

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

/** A block with its heading. */
function Card({
  block: { title, half, fold, link },
  count,
  children,
}: {
  readonly block: Pick<Table, 'title' | 'half' | 'fold' | 'link'>
  readonly count?: string
  readonly children: ComponentChildren
}) {
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
  const className = `card ${half === true ? 'half' : ''}`
  return fold === true ? (
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

function TableView({ table }: { readonly table: Table }) {
  const { columns, words = 1, rows, total } = table
  const { shown, more } = firstOf(rows, MAX_ROWS, total)
  const sideOf = (index: number): string => (index < words ? '' : 'right')
  return (
    <Card block={table}>
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

function ListView({ list }: { readonly list: List }) {
  const { items, total } = list
  const { shown, more } = firstOf(items, MAX_ROWS, total)
  return (
    <Card block={{ ...list, half: true }} count={countOf(list)}>
      <ul class="items">
        {shown.map((item, index) => (
          <li class={index >= atOnce(shown) ? 'extra' : ''}>
            <ItemView item={item} />
          </li>
        ))}
      </ul>
      <More hidden={shown.length - atOnce(shown)} beyond={more} />
    </Card>
  )
}

/** Reasons are shown below it. A topic, which is not a link, folds out into its questions. */
function ItemView({ item: { text, count, details = [], tone } }: { readonly item: Item }) {
  const head = (
    <>
      {count === undefined ? null : <span class="count">{count}</span>}
      <span class={tone ?? ''}>
        <Words text={text} />
      </span>
    </>
  )
  const list = details.length > 0 && (
    <ul>
      {details.map((one) => (
        <li>
          <Words text={one} />
        </li>
      ))}
    </ul>
  )
  return list === false || count === undefined ? (
    <>
      {head}
      {list}
    </>
  ) : (
    <details>
      <summary>{head}</summary>
      {list}
    </details>
  )
}

/** When open, CSS shows the other rows. */
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
