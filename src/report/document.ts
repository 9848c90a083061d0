// A report as a document: what it says, in what order, rounded and labelled. Renderers alone know escaping, width and how much a medium shows.
import { digits } from '../domain/text.ts'

/** Text of ours is a string; a text from elsewhere says so, and every medium escapes it. */
export type Span =
  | string
  | { readonly untrusted: string }
  | { readonly text: string | { readonly untrusted: string }; readonly link: Link }
export type Text = Span | readonly Span[]

/** A place of the page; media without one show the text alone. */
export type Link =
  /** Conversations that the query finds, in the words of the page's search box. */
  | { readonly find: string }
  /** One question, by its id. */
  | { readonly question: string; readonly repeat?: number }
  | { readonly section: SectionId }
  /** A file, by its path from the page with `/`. */
  | { readonly file: string }

/** `good` and `bad` judge; `warn` asks for a look; `muted` steps back. */
export type Tone = 'good' | 'bad' | 'warn' | 'muted'
export const MARKS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', warn: '!', muted: '·' }

/** A share with its 95 % interval, each 0 to 1. Bounds are absent where too little is known. */
export interface Bar {
  readonly rate: number
  readonly low?: number | undefined
  readonly high?: number | undefined
}

/** One figure of a row of figures: `Grounded 68.8 % 33/48 48.5–83.7 %`. */
export interface Figure {
  readonly label: string
  /** Rounded, with its unit; `–` where there is none. */
  readonly value: string
  /** What it is made of: `33/48`. */
  readonly of?: string | undefined
  readonly bar?: Bar | undefined
  /** What a reader should know beside it: an interval, other percentiles, why there is no value. */
  readonly note?: Text | undefined
  /** Since the baseline. */
  readonly change?: { readonly value: string; readonly tone: Tone } | undefined
  readonly tone?: Tone | undefined
  readonly link?: Link | undefined
}

export interface Row {
  readonly cells: readonly Text[]
  /** Shown with the first cell where a medium draws bars. */
  readonly bar?: Bar | undefined
  readonly tone?: Tone | undefined
}

export interface Item {
  readonly text: Text
  /** In front of it: how many it stands for. */
  readonly count?: number | undefined
  /** Below it, where a medium has room: reasons, or with a count what it stands for. */
  readonly details?: readonly Text[] | undefined
  readonly tone?: Tone | undefined
}

interface Titled {
  readonly title: Text
  /** Of how many the rows or items are the first; absent: they are all. */
  readonly total?: number | undefined
  /** Half as wide where a medium has two columns. */
  readonly half?: boolean | undefined
  /** For those who look for it: folded away where a medium can. */
  readonly fold?: boolean | undefined
  /** Not on a terminal: its verdict line says the same. */
  readonly isInVerdict?: boolean | undefined
  /** Where all of them are. */
  readonly link?: Link | undefined
}

export interface Table extends Titled {
  readonly kind: 'table'
  /** Their labels. */
  readonly columns: readonly Text[]
  /** So many columns, the first ones, are words and stand left; the others are numbers and stand right. Absent: one. */
  readonly words?: number
  readonly rows: readonly Row[]
}

export interface List extends Titled {
  readonly kind: 'list'
  /** Beside the title, where the number of items does not say it: `15 questions`. */
  readonly count?: string
  readonly items: readonly Item[]
}

/** Half as wide, and on the page alone. */
export interface ChartBlock {
  readonly kind: 'chart'
  readonly title: Text
  readonly chart: Chart
}

/** Times are milliseconds since the epoch where `axis` is `time`, else since the start. */
export type Chart =
  /** Values over time, of one or two series, with a band where each has bounds. */
  | {
      readonly kind: 'line'
      readonly axis: 'time' | 'elapsed'
      readonly unit: Unit
      readonly series: readonly {
        readonly label: string
        readonly points: readonly {
          readonly at: number
          /** Null where there is none: the line breaks. */
          readonly value: number | null
          readonly low?: number | null
          readonly high?: number | null
        }[]
      }[]
    }
  /** Counts over time, stacked; every series has a value for each bin. */
  | {
      readonly kind: 'columns'
      readonly axis: 'time' | 'elapsed'
      readonly from: number
      readonly binMs: number
      readonly series: readonly {
        readonly label: string
        readonly tone: Tone
        readonly counts: readonly number[]
      }[]
    }
export type Unit = 'ms' | 'share' | 'perSecond' | 'count'

export type Block =
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | Table
  | List
  | ChartBlock
  /** What a user must act on, or know. */
  | { readonly kind: 'note'; readonly tone: Tone; readonly text: Text }

export type SectionId = 'overview' | 'changes' | 'conversations' | 'limits' | 'about'

/** A tab of the page. */
export interface Section {
  readonly id: SectionId
  readonly title: string
  readonly blocks: readonly Block[]
}

export interface Verdict {
  readonly tone: Tone
  /** `Passed`. */
  readonly word: string
  /** Why, in one sentence. */
  readonly reason: Text
}

export interface Document {
  /** Sets and target, or what was compared. */
  readonly title: readonly Span[]
  /** How much, and how long it took. */
  readonly facts: string
  /** ISO 8601. */
  readonly at: string | null
  readonly verdict: Verdict
  readonly sections: readonly Section[]
}

/**
 * How much of a document each medium shows: characters of a text from elsewhere, rows and items of a block, details of an
 * item, sections; lines in all, beyond which whole blocks are left out (terminal) or folded (Markdown).
 */
export const LIMITS = {
  terminal: { columns: 80, text: 70, rows: 4, lines: 30, sections: ['overview'] },
  markdown: { text: 200, rows: 10, details: 5, lines: 60, sections: ['overview', 'changes'] },
  page: { text: 300, rows: 500 },
} as const

/** What stands in these sections, but for tables and lists that are empty. */
export const blocksOf = ({ sections }: Pick<Document, 'sections'>, shown: readonly SectionId[]): Block[] =>
  sections
    .filter(({ id }) => shown.includes(id))
    .flatMap(({ blocks }) => blocks.filter((block) => !isEmpty(block)))

export const isEmpty = (block: Block): boolean =>
  (block.kind === 'table' && block.rows.length === 0) || (block.kind === 'list' && block.items.length === 0)

/** Each span in a medium's own form. Media without links show what is linked alone. */
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
  const spans: readonly Span[] = Array.isArray(text) ? text : [text as Span]
  return spans.map(map)
}

/** The first of them that a medium shows, and how many more there are. */
export function firstOf<T>(
  all: readonly T[],
  most: number,
  total = all.length,
): { readonly shown: readonly T[]; readonly more: number } {
  const shown = all.slice(0, most)
  return { shown, more: total - shown.length }
}

/** Beside its title. */
export const countOf = ({ count, total, items }: List): string => count ?? digits(total ?? items.length)

const VERDICTS = {
  passed: ['good', 'Passed'],
  failed: ['bad', 'Failed'],
  incomplete: ['warn', 'Incomplete'],
  part: ['muted', 'Not judged yet'],
  done: ['good', 'Done'],
  valid: ['good', 'Valid'],
  estimated: ['good', 'Estimated'],
  known: ['good', 'Known'],
  unmet: ['warn', 'Not met'],
  unknown: ['warn', 'Not known'],
} as const satisfies Readonly<Record<string, readonly [Tone, string]>>

export function verdictOf(verdict: keyof typeof VERDICTS, reason: Text): Verdict {
  const [tone, word] = VERDICTS[verdict]
  return { tone, word, reason }
}

/** The section of documents that have one, and the first of the others. */
export const overview = (...blocks: readonly Block[]): Section => ({
  id: 'overview',
  title: 'Overview',
  blocks,
})

/** One note for each. */
export const warnings = (messages: readonly { readonly text: string }[]): Block[] =>
  messages.map(({ text }) => ({ kind: 'note', tone: 'warn', text: { untrusted: text } }))

/** A label and what stands beside it; without that, the row is left out. */
export type Pair = readonly [label: Text, value: Text | undefined]

export const tableOfPairs = (title: string, pairs: readonly Pair[], more: Partial<Table> = {}): Table =>
  tableOf(
    title,
    ['', ''],
    pairs.flatMap(([label, value]) => (value === undefined ? [] : [[label, value]])),
    { words: 2, ...more },
  )

/** A question by its text, or by its id where it has none; it leads to its conversation. */
export const questionOf = ({ id, message }: { readonly id: string; readonly message: string }): Span => ({
  text: { untrusted: message.trim() === '' ? id : message },
  link: { question: id },
})

export const tableOf = (
  title: Text,
  columns: readonly Text[],
  rows: readonly (readonly Text[])[],
  more: Partial<Table> = {},
): Table => ({ kind: 'table', title, columns, rows: rows.map((cells) => ({ cells })), ...more })

export const chartOf = (title: Text, chart: Chart): ChartBlock => ({ kind: 'chart', title, chart })

interface Gate {
  readonly name: string
  readonly passed: boolean
  readonly reason: { readonly text: string }
}

/** Failed ones first. */
export const gateTable = (title: string, gates: readonly Gate[], more: Partial<Table> = {}): Table => ({
  kind: 'table',
  title,
  columns: ['Gate', ''],
  words: 2,
  rows: gates
    .toSorted((a, b) => Number(a.passed) - Number(b.passed))
    .map(({ name, passed, reason }) => ({
      cells: [[passed ? '✓ ' : '✗ ', { untrusted: name }], { untrusted: reason.text }],
      tone: passed ? undefined : 'bad',
    })),
  ...more,
})
