// A document as Markdown for a pull request: verdict, figures and changes; the rest is folded.
import { cut } from '../domain/text.ts'
import {
  blocksOf,
  countOf,
  firstOf,
  gateTable,
  isEmpty,
  textOf,
  type Block,
  type ChartBlock,
  type Document,
  type Figure,
  type Gate,
  type Item,
  type List,
  type Span,
  type Table,
  type Text,
  type Tone,
  type Verdict,
} from './document.ts'
import { markdownText } from './escape.ts'
import { namedOnce, questionsOf } from './named-once.ts'

/** Characters of a foreign text, rows or items, details of an item, lines outside of the fold are limited. */
const LIMIT = { text: 200, rows: 10, details: 5, lines: 60 }
const SIGNS: Readonly<Record<Tone, string>> = { good: '✅', bad: '❌', warn: '⚠️', muted: '' }

/** A job's page begins with the numbers of the lead, since its lists are in view: each question once. */
export function renderMarkdown(written: Document, isJobPage = false): string {
  const document = isJobPage ? { ...written, lead: written.lead?.map(numbersOf) ?? [] } : written
  const { title, facts, verdict } = document
  const reason = textOf(verdict.reason, markdownText)
  const head = headOf(document)
  const open = [
    head,
    '',
    // The only place that says which gates failed, and why.
    ...(head.includes(reason) ? [] : [`> ${reason}`, '']),
    `${escaped(title)}${facts === '' ? '' : ` · ${facts}`}`,
    '',
    ...(document.resume === undefined
      ? []
      : renderNote('warn', ['Resume: ', { untrusted: document.resume }])),
  ]
  const folded: Block[] = []
  const blocks = blocksOf(document, ['overview', 'changes'])
    .map((block) => (block.kind === 'gates' ? gatesAfter(verdict, block.gates) : block))
    .filter((block) => !isEmpty(block))
    .filter(({ kind }, index) => kind !== 'figures' || index === 0)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
  for (const block of namedOnce(blocks, LIMIT.rows)) {
    const lines = renderBlock(block)
    const isMinor = 'isMinor' in block && block.isMinor === true
    if (!isMinor && open.length + lines.length + FOLD_LINES <= LIMIT.lines) open.push(...lines)
    else folded.push(block)
  }
  return `${[...open, ...fold(folded)].join('\n').trimEnd()}\n`
}

/** Writes `New: 2 gaps, 2 failures` without the questions behind it. */
function numbersOf(line: Text): Text {
  const spans: readonly Span[] = [line].flat()
  const at = spans.findIndex((span) => questionsOf(span).length > 0)
  return at === -1 ? line : spans.slice(0, at - 1)
}

/** Verdict and lead fit into a mail's preview: texts are cut until they do. */
const HEAD = { max: 400, verdict: 100 }

function headOf({ verdict, lead = [] }: Document): string {
  const opening = (length: number): string =>
    `### ${SIGNS[verdict.tone]} ${verdict.word}: ${shortened(verdict.reason, length)}`
  const lines = (length: number): string => lead.map((line) => `\n- ${shortened(line, length)}`).join('')
  const below = fitted(HEAD.max - Math.min(HEAD.verdict, opening(HEAD.max).length), lines)
  return fitted(HEAD.max - below.length, opening) + below
}

/** No part of a number stands before the ellipsis. */
const shortened = (text: Text, length: number): string =>
  textOf(text, (foreign) => markdownText(cut(foreign, length).replace(/\p{Nd}[\p{Nd}.,:]*…$/u, '…')))

/** Counted as written: an escaped sign is up to 13 characters. */
function fitted(max: number, write: (length: number) => string): string {
  let length = max
  while (length > 1 && write(length).length > max) length -= 1
  return write(length)
}

function rankOf(block: Block): number {
  if (block.kind === 'figures' || block.kind === 'note') return 0
  const parts = block.kind === 'table' ? block.rows : block.kind === 'list' ? block.items : []
  const tones = parts.map(({ tone }) => tone)
  return tones.includes('bad') ? 1 : tones.includes('warn') ? 2 : 3
}

const FOLD_LINES = 3

/** GitHub reads Markdown inside the element only after a blank line. */
function fold(blocks: readonly Block[]): string[] {
  if (blocks.length === 0) return []
  const titles = new Set(blocks.map((block) => ('title' in block ? titleOf(block) : 'Notes')))
  return [
    '<details>',
    `<summary>${[...titles].join(' · ')}</summary>`,
    '',
    ...blocks.flatMap(renderBlock),
    '</details>',
  ]
}

function renderBlock(block: Block): string[] {
  switch (block.kind) {
    case 'figures':
      return renderFigures(block.figures)
    case 'note':
      return renderNote(block.tone, block.text)
    case 'table':
      return [titleOf(block, '**'), '', ...renderTable(block), '']
    case 'list':
      return [titleOf(block, '**'), '', ...renderList(block), '']
    case 'gates':
    case 'chart':
      return []
  }
}

const renderNote = (tone: Tone, text: Text): string[] => [`> ${`${SIGNS[tone]} ${escaped(text)}`.trim()}`, '']

/** The verdict of a failed run has said which gates failed, and why. */
function gatesAfter({ tone }: Verdict, gates: readonly Gate[]): Table {
  const others = tone === 'bad' ? gates.filter(({ passed }) => passed) : gates
  const table = gateTable(tone === 'bad' ? 'Passed gates' : 'Gates', others)
  return { ...table, isMinor: others.every(({ passed }) => passed) }
}

const titleOf = (block: Table | List | ChartBlock, mark = ''): string =>
  `${mark}${escaped(block.title)}${mark}${block.kind === 'list' ? ` (${countOf(block)})` : ''}`

function renderFigures(figures: readonly Figure[]): string[] {
  const hasChange = figures.some(({ change }) => change !== undefined)
  const rows = figures.map(({ label, value, of = '', note, change }) => [
    label,
    value,
    of,
    ...(hasChange ? [change?.value ?? ''] : []),
    note === undefined ? '' : escaped(note),
  ])
  const [header, align] = hasChange ? [['', '', '', 'Change', ''], 'lrrrl'] : [['', '', '', ''], 'lrrl']
  return [...renderCells(header, align, rows), '']
}

function renderTable({ columns, words = 1, rows, total }: Table): string[] {
  const { shown, more } = firstOf(rows, LIMIT.rows, total)
  const cells = shown.map((row) => row.cells.map(escaped))
  return [
    ...renderCells(columns.map(escaped), 'l'.repeat(words).padEnd(columns.length, 'r'), cells),
    ...moreLine(more),
  ]
}

const renderCells = (
  header: readonly string[],
  align: string,
  rows: readonly (readonly string[])[],
): string[] => [
  tableRow(header),
  tableRow(Array.from(align, (side) => (side === 'r' ? '---:' : '---'))),
  ...rows.map(tableRow),
]

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function renderList({ items, total }: List): string[] {
  const { shown, more } = firstOf(items, LIMIT.rows, total)
  return [...shown.map(itemOf), ...moreLine(more)]
}

function itemOf({ text, count, details = [] }: Item): string {
  const head = count === undefined ? escaped(text) : `**${count}** ${escaped(text)}`
  const { shown, more } = firstOf(details, LIMIT.details)
  return `- ${[head, ...shown.map(escaped), ...(more > 0 ? [`${more} more`] : [])].join(' — ')}`
}

const moreLine = (more: number): string[] => (more > 0 ? ['', `${more} more in the report.`] : [])

const escaped = (text: Text): string => textOf(text, (foreign) => markdownText(cut(foreign, LIMIT.text)))
