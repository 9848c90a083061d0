// The blocks of a section as components. Lists that lead to conversations are lines of one box: the desk
// lists their questions, and paper and readers without a script get them printed.
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { digits } from '../domain/format.ts'
import {
  countOf,
  firstOf,
  gateTable,
  isEmpty,
  MARKS,
  type Block,
  type Figure,
  type Group,
  type Item,
  type List,
  type Section,
} from '../report/document.ts'
import { First, numberOf, rankOf } from './first.tsx'
import { ChartContext, type ChartProps } from './kept-chart.tsx'
import { Term } from './hints.tsx'
import { atOnce, Box, isNarrow as isNarrowTable, MAX_ROWS, More, Scale, TableView } from './table.tsx'
import { Anchor, titleText, Words } from './text.tsx'

interface BlocksProps {
  readonly section: Section
  /** What the run would show with articles; absent where it has them. */
  readonly missing?: string | undefined
  /** What other sections have to do first. */
  readonly elsewhere?: readonly Block[]
  /** What the report is of, beside the first heading. */
  readonly facts: ComponentChildren
}

export function Blocks({ section, missing, elsewhere = [], facts }: BlocksProps) {
  const blocks = section.blocks.filter((block) => !isEmpty(block))
  const hasFirst = section.id === 'overview' || section.id === 'changes'
  const lines = hasFirst
    ? [...blocks, ...elsewhere].filter(isLine).sort((some, other) => rankOf(some) - rankOf(other))
    : []
  const others = blocks.filter((block) => !isFoot(block) && (!hasFirst || !isLine(block) || hasGroups(block)))
  const footOf = (block: Block): Note | undefined => {
    const next = blocks[blocks.indexOf(block) + 1]
    return next !== undefined && isFoot(next) ? next : undefined
  }
  const [wide, narrow] = [others.filter((block) => !isNarrow(block)), others.filter(isNarrow)]
  const isFirst = ({ kind }: Block): boolean => kind === 'figures' || kind === 'note'
  const later = wide.filter((block) => !isFirst(block))
  return (
    <>
      {lines.length > 0 || section.id === 'overview' ? (
        <First lines={lines} facts={facts} missing={missing} />
      ) : null}
      {wide.filter(isFirst).map((block) => (
        <BlockView id={section.id} block={block} foot={footOf(block)} />
      ))}
      <div class={narrow.length > 0 && later.length > 0 ? 'split' : 'stack'}>
        {later.length === 0 ? null : (
          <div class="stack">
            {later.map((block) => (
              <BlockView id={section.id} block={block} foot={footOf(block)} />
            ))}
          </div>
        )}
        {narrow.length === 0 ? null : (
          <div class={later.length > 0 ? 'stack' : 'pairs'}>
            {narrow.map((block) => (
              <BlockView id={section.id} block={block} isBeside />
            ))}
          </div>
        )}
      </div>
      {lines
        .filter((list) => !hasGroups(list) && blocks.includes(list))
        .map((list) => (
          <div class="unfolded">
            <ListView list={list} />
          </div>
        ))}
    </>
  )
}

const isLine = (block: Block): block is List =>
  block.kind === 'list' && block.link !== undefined && block.isMinor !== true

/** Items with a count are topics, which hold questions. */
const hasGroups = (block: Block): boolean =>
  block.kind === 'list' && block.items.some(({ count }) => count !== undefined)

type Note = Block & { readonly kind: 'note' }

const isFoot = (block: Block): block is Note => block.kind === 'note' && block.isFoot === true

const isNarrow = (block: Block): boolean =>
  block.kind === 'table' && (block.narrowTitle !== undefined || isNarrowTable(block))

interface BlockProps {
  /** Of the section: a term may stand in several. */
  readonly id?: string
  readonly block: Block
  readonly foot?: Note | undefined
  readonly isBeside?: boolean
}

export function BlockView({ id = '', block, foot, isBeside }: BlockProps) {
  switch (block.kind) {
    case 'figures':
      return <Figures figures={block.figures} foot={foot} id={id} />
    case 'note':
      return (
        <p class={`note ${block.tone}`}>
          <span aria-hidden="true">{MARKS[block.tone]}</span>{' '}
          <span>
            <Words text={block.text} />
          </span>
        </p>
      )
    case 'table':
      return <TableView table={block} isBeside={isBeside === true} />
    case 'list':
      return <ListView list={block} foot={foot} />
    case 'gates':
      return <TableView table={gateTable('Gates', block.gates)} />
    case 'chart':
      return (
        <Box block={block}>
          <ChartBox chart={block.chart} title={titleText(block.title)} />
        </Box>
      )
  }
}

function ChartBox(props: ChartProps) {
  const View = useContext(ChartContext)
  return <View {...props} />
}

interface FiguresProps {
  /** Of the section: a term may stand in several. */
  readonly id: string
  readonly figures: readonly Figure[]
  readonly foot: Note | undefined
}

/** A value is never red or green; its change is. */
const Figures = ({ figures, foot, id }: FiguresProps) => (
  <section class="box" aria-label="Figures">
    <ul class="figures">
      {figures.map(({ link, label, value, of, bar, note, change }) => (
        <li class="figure">
          <span class="label">
            <Term label={label} id={id} />
          </span>
          <Anchor to={link} class="value">
            {value} {of === undefined ? null : <small>{of.replace('/', ' of ')}</small>}
            {change === undefined ? null : <small class={change.tone}>{change.value}</small>}
          </Anchor>
          {bar === undefined ? null : <Scale bar={bar} />}
          {note === undefined ? null : (
            <small>
              <Words text={typeof note === 'string' ? plainNote(note) : note} />
            </small>
          )}
        </li>
      ))}
    </ul>
    <Foot note={foot} />
  </section>
)

const Foot = ({ note }: { readonly note: Note | undefined }) =>
  note === undefined ? null : (
    <p class="box-foot quiet">
      <Words text={note.text} />
    </p>
  )

/** Says what a range is; a number stays with its unit. */
const plainNote = (note: string): string =>
  note
    .replace(/^([\d.]+)–([\d.]+ %)$/, 'likely $1 to $2')
    .replaceAll(/(\d)\/(\d)/g, '$1 of $2')
    .replace(/^p50 (.+), p99 (.+)$/, 'half within $1 · 99 of 100 within $2')
    .replaceAll(/(?<=\d) (?=%|\d|m?s\b|min)/g, '\u00a0')

interface ListProps {
  readonly list: List
  readonly foot?: Note | undefined
}

function ListView({ list, foot }: ListProps) {
  const { items, total } = list
  const { shown, more } = firstOf(items, MAX_ROWS, total)
  return (
    <Box block={list} count={hasGroups(list) ? digits(numberOf(list)) : countOf(list)}>
      {hasGroups(list) ? (
        <div class="groups">
          {groupsOf(shown).map((group) => (
            <GroupView group={group} />
          ))}
        </div>
      ) : (
        <ul class="items">
          {shown.map((item, index) => (
            <li class={index >= atOnce(shown) ? 'extra' : ''}>
              <span class={item.tone ?? ''}>
                <Words text={item.text} />
              </span>
              <Details item={item} />
            </li>
          ))}
        </ul>
      )}
      <More hidden={hasGroups(list) ? 0 : shown.length - atOnce(shown)} beyond={more} />
      <Foot note={foot} />
    </Box>
  )
}

/** Items of one title are one group. */
function groupsOf(items: readonly Item[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const { text, details = [], group } of items) {
    const { title, reason, questions } = group ?? {
      title: text,
      reason: '',
      questions: details.map((detail) => ({ text: detail })),
    }
    const key = titleText(title)
    groups.set(key, { title, reason, questions: [...(groups.get(key)?.questions ?? []), ...questions] })
  }
  return [...groups.values()]
}

const GroupView = ({ group: { title, reason, questions } }: { readonly group: Group }) => (
  <section class="group">
    <div class="group-head">
      <b>
        <Words text={title} />
      </b>
      <span class="number">{questions.length}</span>
      <small class="last">{reason}</small>
    </div>
    <ul>
      {questions.map(({ text, aside, answer }) => (
        <li>
          <span>
            <Words text={text} />
          </span>
          {aside === undefined ? null : (
            <small>
              <Words text={aside} />
            </small>
          )}
          {answer === undefined ? null : (
            <p class="print-only quiet">
              <Words text={answer} />
            </p>
          )}
        </li>
      ))}
    </ul>
  </section>
)

const Details = ({ item: { details = [] } }: { readonly item: Item }) =>
  details.length === 0 ? null : (
    <ul>
      {details.map((detail) => (
        <li>
          <Words text={detail} />
        </li>
      ))}
    </ul>
  )
