// A document as Markdown for a pull request: verdict, figures and changes; the rest is folded.
import { cut } from '../domain/text.ts'
import {
  blocksOf,
  countOf,
  firstOf,
  LIMITS,
  mapSpans,
  type Block,
  type Document,
  type Figure,
  type Item,
  type List,
  type Table,
  type Text,
  type Tone,
} from './document.ts'
import { markdownText } from './escape.ts'

const MOST = LIMITS.markdown
const SIGNS: Readonly<Record<Tone, string>> = { good: '✅', bad: '❌', warn: '⚠️', muted: '' }

export function renderMarkdown(document: Document): string {
  const { title, facts, verdict } = document
  const head = [
    `### ${SIGNS[verdict.tone]} ${verdict.word}: ${textOf(verdict.reason)}`,
    '',
    `${textOf(title)}${facts === '' ? '' : ` · ${facts}`}`,
    '',
  ]
  const lines: string[] = [...head]
  // Blocks beyond the first 60 lines are folded.
  let unfolded = head.length
  for (const block of blocksOf(document, MOST.sections)) {
    const open = renderBlock(block, false)
    const isOpen = !isFolded(block) && unfolded + open.length <= MOST.lines
    if (isOpen) unfolded += open.length
    lines.push(...(isOpen ? open : renderBlock(block, true)))
  }
  return `${lines.join('\n').trimEnd()}\n`
}

const isFolded = (block: Block): boolean => 'fold' in block && block.fold === true

/** Figures and notes are never folded. */
function renderBlock(block: Block, fold: boolean): string[] {
  switch (block.kind) {
    case 'figures':
      return renderFigures(block.figures)
    case 'note':
      return [`> ${SIGNS[block.tone]} ${textOf(block.text)}`, '']
    case 'table':
      return titled(block, renderTable(block), fold)
    case 'list':
      return titled(block, renderList(block), fold)
    case 'chart':
      return []
  }
}

/** With a column for the change if there is a baseline. */
function renderFigures(figures: readonly Figure[]): string[] {
  const hasChange = figures.some(({ change }) => change !== undefined)
  const rows = figures.map(({ label, value, of = '', note, change }) => [
    label,
    value,
    of,
    ...(hasChange ? [change?.value ?? ''] : []),
    note === undefined ? '' : textOf(note),
  ])
  const [header, align] = hasChange ? [['', '', '', 'Change', ''], 'lrrrl'] : [['', '', '', ''], 'lrrl']
  return [...tableOf(header, align, rows), '']
}

function renderTable({ columns, words = 1, rows, total }: Table): string[] {
  const { shown, more } = firstOf(rows, MOST.rows, total)
  const cells = shown.map((row) => row.cells.map(textOf))
  return [
    ...tableOf(columns.map(textOf), 'l'.repeat(words).padEnd(columns.length, 'r'), cells),
    ...moreLine(more),
  ]
}

/** `align`: `l` or `r` for each column. */
const tableOf = (
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
  const { shown, more } = firstOf(items, MOST.rows, total)
  return [...shown.map(itemOf), ...moreLine(more)]
}

function itemOf({ text, count, details = [] }: Item): string {
  const head = count === undefined ? textOf(text) : `**${count}** ${textOf(text)}`
  const { shown, more } = firstOf(details, MOST.details)
  return `- ${[head, ...shown.map(textOf), ...(more > 0 ? [`${more} more`] : [])].join(' — ')}`
}

const moreLine = (more: number): string[] => (more > 0 ? ['', `${more} more in the report.`] : [])

/** GitHub reads Markdown inside the element only after a blank line. */
function titled(block: Table | List, lines: readonly string[], fold: boolean): string[] {
  const [title, count] = [textOf(block.title), block.kind === 'list' ? ` (${countOf(block)})` : '']
  if (!fold) return [`**${title}**${count}`, '', ...lines, '']
  return ['<details>', `<summary>${title}${count}</summary>`, '', ...lines, '', '</details>', '']
}

const textOf = (text: Text): string =>
  mapSpans(
    text,
    (own) => own,
    (foreign) => markdownText(cut(foreign, MOST.text)),
  ).join('')
