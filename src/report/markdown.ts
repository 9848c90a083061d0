// A document as Markdown for a pull request: the verdict, the figures, what changed; the rest folds.
import {
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

const { text: MOST_TEXT, rows: MOST_ROWS, lines: MOST_LINES, sections: SECTIONS } = LIMITS.markdown
/** A comment on GitHub takes 65,536 characters. */
const MOST_CHARACTERS = 60_000
const SIGNS: Readonly<Record<Tone, string>> = { good: '✅', bad: '❌', warn: '⚠️', muted: '' }

export function renderMarkdown({ title, facts, verdict, sections }: Document): string {
  const shown: readonly string[] = SECTIONS
  const blocks = sections.filter(({ id }) => shown.includes(id)).flatMap((section) => section.blocks)
  const head = [
    `### ${SIGNS[verdict.tone]} ${verdict.word}: ${textOf(verdict.reason)}`,
    '',
    `${textOf(title)}${facts === '' ? '' : ` · ${facts}`}`,
    '',
  ]
  const lines: string[] = [...head]
  let room = MOST_CHARACTERS - head.join('\n').length
  // Whole blocks as long as they fit: half a table would mislead.
  // What stands open beyond the first screens folds.
  let unfolded = head.length
  for (const block of blocks) {
    const open = renderBlock(block, false)
    const isOpen = !isFolded(block) && unfolded + open.length <= MOST_LINES
    const own = isOpen ? open : renderBlock(block, true)
    const size = own.reduce((sum, line) => sum + line.length + 1, 0)
    if (size > room) continue
    room -= size
    if (isOpen) unfolded += own.length
    lines.push(...own)
  }
  return `${lines.join('\n').trimEnd()}\n`
}

const isFolded = (block: Block): boolean => 'fold' in block && block.fold === true

/** `fold`: figures and notes never do. */
function renderBlock(block: Block, fold: boolean): string[] {
  switch (block.kind) {
    case 'figures':
      return renderFigures(block.figures)
    case 'note':
      return [`> ${SIGNS[block.tone]} ${textOf(block.text)}`, '']
    case 'table':
      return block.rows.length === 0 ? [] : titled(block, renderTable(block), fold)
    case 'list':
      return block.items.length === 0 ? [] : titled(block, renderList(block), fold)
    case 'chart':
      return []
  }
}

/** A column for the change only where something can have changed. */
function renderFigures(figures: readonly Figure[]): string[] {
  const hasChange = figures.some(({ change }) => change !== undefined)
  const rows = figures.map(({ label, value, of = '', note, change }) => [
    label,
    value,
    of,
    ...(hasChange ? [change?.value ?? ''] : []),
    note === undefined ? '' : textOf(note),
  ])
  return [
    ...tableOf(
      ['', '', '', ...(hasChange ? ['Change'] : []), ''],
      ['l', 'r', 'r', ...(hasChange ? ['r'] : []), 'l'],
      rows,
    ),
    '',
  ]
}

function renderTable({ columns, rows, total }: Table): string[] {
  const { shown, more } = firstOf(rows, MOST_ROWS, total)
  return [
    ...tableOf(
      columns.map(({ label }) => textOf(label)),
      columns.map(({ align }, place) =>
        align === 'right' || (align === undefined && place > 0) ? 'r' : 'l',
      ),
      shown.map((row) => row.cells.map((cell) => textOf(cell))),
    ),
    ...moreLine(more),
  ]
}

const tableOf = (
  header: readonly string[],
  align: readonly string[],
  rows: readonly (readonly string[])[],
): string[] => [
  tableRow(header),
  tableRow(align.map((side) => (side === 'r' ? '---:' : '---'))),
  ...rows.map(tableRow),
]

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function renderList({ items, total }: List): string[] {
  const { shown, more } = firstOf(items, MOST_ROWS, total)
  return [...shown.map(itemOf), ...moreLine(more)]
}

function itemOf({ text, count, details = [] }: Item): string {
  const head = count === undefined ? textOf(text) : `**${count}** ${textOf(text)}`
  return `- ${[head, ...details.map((one) => textOf(one))].join(' — ')}`
}

const moreLine = (more: number): string[] => (more > 0 ? ['', `${more} more in the report.`] : [])

/** The blank lines make GitHub read Markdown inside the element. */
function titled({ title, total, ...block }: Table | List, lines: readonly string[], fold: boolean): string[] {
  const count = total ?? ('rows' in block ? block.rows.length : block.items.length)
  if (!fold) return [`**${textOf(title)}** (${count})`, '', ...lines, '']
  return ['<details>', `<summary>${textOf(title)} (${count})</summary>`, '', ...lines, '', '</details>', '']
}

const textOf = (text: Text): string =>
  mapSpans(
    text,
    (own) => own,
    (foreign) =>
      markdownText(foreign.length <= MOST_TEXT ? foreign : `${foreign.slice(0, MOST_TEXT).toWellFormed()}…`),
  ).join('')
