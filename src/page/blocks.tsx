// The blocks of a document as components: tiles, tables, lists, notes, charts.
import {
  countOf,
  firstOf,
  gateTable,
  isEmpty,
  MARKS,
  type Block,
  type Figure,
  type Item,
  type List,
} from '../report/document.ts'
import { ChartView } from './charts.tsx'
import { atOnce, BarView, Card, MAX_ROWS, More, TableView } from './table.tsx'
import { Anchor, titleText, Words } from './text.tsx'

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
    case 'gates':
      return <TableView table={gateTable('Gates', block.gates)} />
    case 'chart':
      return (
        <Card block={block} isHalf>
          <ChartView chart={block.chart} title={titleText(block.title)} />
        </Card>
      )
  }
}

const Tiles = ({ figures }: { readonly figures: readonly Figure[] }) => (
  <ul class="tiles">
    {figures.map(({ link, label, value, of, bar, note, change, tone }) => (
      <li>
        <Anchor to={link} class="tile">
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
        </Anchor>
      </li>
    ))}
  </ul>
)

/** A number stays with its unit. */
const unbroken = (text: string): string => text.replaceAll(/(?<=\d) (?=%|\d|m?s\b|min)/g, '\u00a0')

function ListView({ list }: { readonly list: List }) {
  const { items, total } = list
  const { shown, more } = firstOf(items, MAX_ROWS, total)
  return (
    <Card block={list} isHalf count={countOf(list)}>
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

/** Details with a count are the questions of a topic, which folds out into them. */
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
      {details.map((detail) => (
        <li>
          <Words text={detail} />
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
