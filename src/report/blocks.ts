// Short constructors that the builders of documents share.
import type { GateOutcome } from '../domain/summary.ts'
import { duration } from '../domain/format.ts'
import { DERIVED_ID } from '../domain/question.ts'
import type {
  Block,
  Chart,
  ChartBlock,
  Figure,
  Item,
  List,
  Row,
  Section,
  SectionId,
  Span,
  Table,
  Text,
  Tone,
  Verdict,
} from './document.ts'

const VERDICTS = {
  passed: ['good', 'Passed'],
  failed: ['bad', 'Failed'],
  incomplete: ['warn', 'Incomplete'],
  part: ['muted', 'Not judged yet'],
  done: ['good', 'Done'],
  valid: ['good', 'Valid'],
  estimated: ['good', 'Estimated'],
  drafted: ['good', 'Drafted'],
  rehearsed: ['good', 'Rehearsed'],
  known: ['good', 'Known'],
  unmet: ['warn', 'Not met'],
  unknown: ['warn', 'Not known'],
} as const satisfies Readonly<Record<string, readonly [Tone, string]>>

/** The reason may hold text from elsewhere. */
export function verdictOf(verdict: keyof typeof VERDICTS, reason: string): Verdict {
  const [tone, word] = VERDICTS[verdict]
  return { tone, word, reason: { untrusted: reason } }
}

const SECTIONS: Readonly<Record<SectionId, string>> = {
  overview: 'Overview',
  changes: 'Changes',
  conversations: 'Conversations',
  articles: 'Articles',
  limits: 'Limits & quota',
  about: 'About',
}

export const sectionOf = (id: SectionId, ...blocks: readonly Block[]): Section => ({
  id,
  title: SECTIONS[id],
  blocks,
})

export const figuresOf = (...figures: readonly Figure[]): Block => ({ kind: 'figures', figures })

export const noteOf = (tone: Tone, text: Text): Block => ({ kind: 'note', tone, text })

/** How the letters of a file were read is no matter of its answers: the note stays, without a colour. */
const ENCODING = /\bis read as Windows-1252\b/

export const warnings = (messages: readonly { readonly text: string }[]): Block[] =>
  messages.map(({ text }) => noteOf(ENCODING.test(text) ? 'muted' : 'warn', { untrusted: text }))

export const tableOf = (
  title: Text,
  columns: readonly Text[],
  rows: readonly (readonly Text[] | Row)[],
  more: Partial<Table> = {},
): Table => ({
  kind: 'table',
  title,
  columns,
  rows: rows.map((row) => ('cells' in row ? row : { cells: row })),
  ...more,
})

/** A row without a value is left out. */
export type Pair = readonly [label: Text, value: Text | null | undefined]

export const tableOfPairs = (title: string, pairs: readonly Pair[], more: Partial<Table> = {}): Table =>
  tableOf(
    title,
    ['', ''],
    pairs.flatMap(([label, value]) => (value === undefined || value === null ? [] : [[label, value]])),
    { words: 2, ...more },
  )

export const listOf = (title: Text, items: readonly Item[], more: Partial<List> = {}): List => ({
  kind: 'list',
  title,
  items,
  ...more,
})

export const chartOf = (title: Text, chart: Chart): ChartBlock => ({ kind: 'chart', title, chart })

export const setsOf = (sets: readonly { readonly path: string }[]): Span => ({
  untrusted: sets.map(({ path }) => path).join(', '),
})

/** Links to the conversation. A question without a text shows its id. */
export const questionOf = ({ id, message }: { readonly id: string; readonly message: string }): Span => ({
  text: { untrusted: message.trim() === '' ? id : message },
  link: { question: id },
})

/** Begins with the id of the user's own: questions may have one text. */
export const namedQuestion = (question: { readonly id: string; readonly message: string }): Text =>
  DERIVED_ID.test(question.id) || question.message.trim() === ''
    ? questionOf(question)
    : [
        { text: { untrusted: question.id }, link: { question: question.id } },
        ' · ',
        { untrusted: question.message },
      ]

export const perBin = (what: string, binMs: number): string => `${what} per ${duration(binMs)}`

/** The failed gates of an incomplete run are known; it has passed none yet. */
export const gatesOf = (gates: readonly GateOutcome[], isIncomplete = false): Block => ({
  kind: 'gates',
  gates: isIncomplete ? gates.filter(({ passed }) => !passed) : gates,
})
