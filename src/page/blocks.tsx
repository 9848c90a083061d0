// The blocks of a section as components. Lists that lead to conversations are lines of one box: the desk
// lists their questions, and paper and readers without a script get them printed.
import { type ComponentChildren, type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { digits } from '../domain/format.ts'
import {
  type Block,
  type Chart,
  countOf,
  type Figure,
  firstOf,
  gateTable,
  type Group,
  isEmpty,
  type Item,
  type List,
  MARKS,
  type Section,
  type Text,
} from '../report/document.ts'
import { First, numberOf, rankOf } from './first.tsx'
import { Term } from './controls.tsx'
import { atOnce, Box, isSmall, MAX_ROWS, More, Scale, TableView } from './table.tsx'
import { Anchor, titleText, Words } from './text.tsx'

interface BlocksProps {
  readonly section: Section
  /** It says what the run would show with articles, where it has none. */
  readonly missing?: string | undefined
  readonly facts: ComponentChildren
}

/** Blocks keep the order of the document; two small tables stand side by side. */
export function Blocks({ section: { id, blocks }, missing, facts }: BlocksProps) {
  const shown = blocks.filter((block) => !isEmpty(block))
  const hasFirst = id === 'overview' || id === 'changes'
  const lines = shown.filter((block) => hasFirst && isLine(block)) as readonly List[]
  const classOf = (block: Block): string => {
    if (hasFirst && isLine(block) && !hasGroups(block)) return 'unfolded'
    return block.kind === 'chart' || (block.kind === 'table' && isSmall(block)) ? 'half' : ''
  }
  return (
    <>
      {lines.length > 0 || id === 'overview' ? (
        <First
          lines={lines.toSorted((some, other) => rankOf(some) - rankOf(other))}
          facts={facts}
          missing={missing}
        />
      ) : null}
      {shown.map((block) => (
        <div class={classOf(block)}>
          <BlockView block={block} />
        </div>
      ))}
    </>
  )
}

const isLine = (block: Block): boolean =>
  block.kind === 'list' && block.link !== undefined && block.isMinor !== true

/** Items with a count are topics, which hold questions. */
const hasGroups = (block: Block): boolean =>
  block.kind === 'list' && block.items.some(({ count }) => count !== undefined)

export function BlockView({ block }: { readonly block: Block }) {
  const ChartView = useContext(ChartContext)
  switch (block.kind) {
    case 'figures':
      return <Figures figures={block.figures} />
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
      return <TableView table={block} />
    case 'list':
      return <ListView list={block} />
    case 'gates':
      return <TableView table={gateTable('Gates', block.gates)} />
    case 'chart':
      return (
        <Box block={block}>
          <ChartView chart={block.chart} title={titleText(block.title)} />
        </Box>
      )
  }
}

export interface ChartProps {
  readonly chart: Chart
  readonly title: string
}

/**
 * A report's charts stay as they were written, without the library that draws them: hydration leaves what
 * stands in an element with a text of HTML, which is never set.
 */
const KeptChart: ComponentType<ChartProps> = () => <div dangerouslySetInnerHTML={KEPT} />

const KEPT = { __html: '' }

export const ChartContext = createContext(KeptChart)

/** A value is never red or green; its change is. */
const Figures = ({ figures }: { readonly figures: readonly Figure[] }) => (
  <section class="box" aria-label="Figures">
    <ul class="figures">
      {figures.map(({ link, label, value, of, bar, note, change }) => (
        <li class="figure">
          <span class="label">
            <Term label={label} />
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
  </section>
)

/** Says what a range is; a number stays with its unit. */
const plainNote = (note: string): string =>
  note
    .replace(/^([\d.]+)–([\d.]+ %)$/, 'likely $1 to $2')
    .replaceAll(/(\d)\/(\d)/g, '$1 of $2')
    .replace('p50', 'half within')
    .replace(', p99 –', '')
    .replace(', p99', ' · 99 of 100 within')
    .replaceAll(/(?<=\d) (?=%|\d|m?s\b|min)/g, '\u00a0')

function ListView({ list }: { readonly list: List }) {
  const { items, total } = list
  const { shown, more } = firstOf(items, MAX_ROWS, total)
  const areGroups = hasGroups(list)
  const first = areGroups ? shown.length : atOnce(shown)
  return (
    <Box block={list} count={areGroups ? digits(numberOf(list)) : countOf(list)}>
      {areGroups ? (
        groupsOf(shown).map((group) => <GroupView group={group} />)
      ) : (
        <ul class="rows items">
          {shown.map(({ text, tone, details = [] }, index) => (
            <li class={index >= first ? 'extra' : ''}>
              <span class={tone ?? ''}>
                <Words text={text} />
              </span>
              {details.map((detail: Text) => (
                <p class="quiet">
                  <Words text={detail} />
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
      <More hidden={shown.length - first} beyond={more} />
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
    <div class="box-head group-head">
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
