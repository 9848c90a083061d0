// A report is blocks: builders decide labels, order and rounding, renderers escaping, width and length.
import { digits, type Unit } from '../domain/format.ts'

/** A string is our text. Text from elsewhere is marked as untrusted, and every medium escapes it. */
export type Span =
  | string
  | { readonly untrusted: string }
  | { readonly text: string | { readonly untrusted: string }; readonly link: Link }
export type Text = Span | readonly Span[]

/** A link leads within the page. Media without links show only the text. */
export type Link =
  /** The page's search box finds conversations by this query. */
  | { readonly find: string }
  | { readonly question: string; readonly repeat?: number }
  /** The id of an article, which is shown with all that is known of it. */
  | { readonly article: string }
  /** `part` is the `id` of a block. */
  | { readonly section: SectionId; readonly part?: string }
  /** Only https is allowed elsewhere. */
  | { readonly url: string }

/** Leads to the conversations with this value of a filter. The search box takes all quotes as equal. */
export const searchFor = (filter: string, value: string) => ({
  find: `${filter}:"${value.replaceAll('"', "'")}"`,
})

/** `warn` needs attention; `muted` is unimportant. */
export type Tone = 'good' | 'bad' | 'warn' | 'muted'
export const MARKS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', warn: '!', muted: '·' }

/** The share and its 95 % interval are 0 to 1. Bounds are absent if too little is known. */
export interface Bar {
  readonly rate: number
  readonly low?: number | undefined
  readonly high?: number | undefined
}

/** A figure reads `Grounded 68.8 % 33/48 48.5–83.7 %`. */
export interface Figure {
  readonly label: string
  /** It is rounded, with its unit; `–` if there is none. */
  readonly value: string
  readonly of?: string | undefined
  readonly bar?: Bar | undefined
  /** The note is an interval, other percentiles, or why there is no value. */
  readonly note?: Text | undefined
  readonly change?: { readonly value: string; readonly tone: Tone } | undefined
  readonly tone?: Tone | undefined
  readonly link?: Link | undefined
}

export interface Row {
  readonly cells: readonly Text[]
  /** Media that draw bars show it with the first cell. */
  readonly bar?: Bar | undefined
  readonly tone?: Tone | undefined
}

export interface Item {
  readonly text: Text
  readonly count?: number | undefined
  /** Media without room leave out reasons, or the questions of a topic. */
  readonly details?: readonly Text[] | undefined
  readonly tone?: Tone | undefined
  /** A medium with room puts items of one title together. */
  readonly group?: Group | undefined
}

/** `Not clear, read the nearest and decide`: questions, each with what is near it. */
export interface Group {
  readonly title: Text
  readonly reason: string
  readonly questions: readonly {
    readonly text: Text
    readonly aside?: Text | undefined
    readonly answer?: Text | undefined
  }[]
}

export interface Titled {
  readonly title: Text
  /** All rows or items have this number, if these are only the first ones. */
  readonly total?: number | undefined
  /** A link can name it. */
  readonly id?: string | undefined
  /** Nobody needs it to decide. */
  readonly isMinor?: boolean | undefined
  readonly link?: Link | undefined
}

export interface Table extends Titled {
  readonly kind: 'table'
  readonly columns: readonly Text[]
  /** The first columns hold words, aligned left, the others numbers, aligned right. 1 by default. */
  readonly words?: number
  readonly rows: readonly Row[]
}

export interface List extends Titled {
  readonly kind: 'list'
  /** It stands beside the title in place of the number of items, such as `15 questions`. */
  readonly count?: string | undefined
  readonly items: readonly Item[]
  /** So many others are decided, and left out. */
  readonly done?: number
}

/** Only the page shows charts, in half the width. */
export interface ChartBlock {
  readonly kind: 'chart'
  readonly title: Text
  readonly chart: Chart
}

/** Times are in milliseconds: with `axis: 'time'` since the epoch, else since the start. */
export type Chart =
  | {
      readonly kind: 'line'
      readonly axis: 'time' | 'elapsed'
      readonly unit: Unit
      readonly series: readonly (readonly [label: string, points: readonly Point[]])[]
    }
  | {
      readonly kind: 'columns'
      readonly axis: 'time' | 'elapsed'
      readonly from: number
      readonly binMs: number
      readonly series: readonly (readonly [label: string, tone: Tone, counts: readonly number[]])[]
    }
export interface Point {
  readonly at: number
  /** Null breaks the line. */
  readonly value: number | null
}

/** Name and text are untrusted. */
export interface Gate {
  readonly name: string
  readonly passed: boolean
  readonly reason: { readonly text: string }
}

export type Block =
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | Table
  | List
  | ChartBlock
  | { readonly kind: 'gates'; readonly gates: readonly Gate[] }
  | { readonly kind: 'note'; readonly tone: Tone; readonly text: Text }

export type SectionId = 'overview' | 'changes' | 'conversations' | 'articles' | 'limits' | 'about'

/** The section is a tab of the page. Conversations have no blocks: the page shows them. */
export interface Section {
  readonly id: SectionId
  readonly title: string
  readonly blocks: readonly Block[]
}

export interface Verdict {
  readonly tone: Tone
  readonly word: string
  readonly reason: Text
}

export interface Document {
  readonly title: readonly Span[]
  readonly facts: string
  readonly at: string | null
  readonly verdict: Verdict
  /** At most four lines that a mail begins with, after the verdict. */
  readonly lead?: readonly Text[]
  readonly sections: readonly Section[]
  readonly resume?: string | undefined
}

export const gateTable = (title: string, gates: readonly Gate[]): Table => ({
  kind: 'table',
  title,
  columns: ['', ''],
  words: 2,
  rows: gates.map(({ name, passed, reason }) => ({
    cells: [[passed ? '✓ ' : '✗ ', { untrusted: name }], { untrusted: reason.text }],
    tone: passed ? 'good' : 'bad',
  })),
})

export const blocksOf = ({ sections }: Document, shown: readonly SectionId[]): Block[] =>
  sections
    .filter(({ id }) => shown.includes(id))
    .flatMap(({ blocks }) => blocks.filter((block) => !isEmpty(block)))

export const isEmpty = (block: Block): boolean =>
  (block.kind === 'table' && block.rows.length === 0) ||
  (block.kind === 'list' && block.items.length === 0) ||
  (block.kind === 'gates' && block.gates.length === 0)

/** Media without links use this text; `escape` is for what is from elsewhere. */
export const textOf = (text: Text, escape: (foreign: string) => string): string =>
  mapSpans(text, (own) => own, escape).join('')

/** Links become plain text without `linked`. */
export function mapSpans<T>(
  text: Text,
  own: (text: string) => T,
  foreign: (text: string) => T,
  linked: (shown: T, link: Link) => T = (shown) => shown,
): T[] {
  const map = (span: Span): T => {
    if (typeof span === 'string') return own(span)
    return 'untrusted' in span ? foreign(span.untrusted) : linked(map(span.text), span.link)
  }
  return (Array.isArray(text) ? (text as readonly Span[]) : [text as Span]).map(map)
}

export function firstOf<T>(all: readonly T[], max: number, total = all.length) {
  const shown = all.slice(0, max)
  return { shown, more: total - shown.length }
}

export const countOf = ({ count, total, items }: List): string => count ?? digits(total ?? items.length)
