// A document on a terminal: its overview on one screen, 80 columns wide.
import stringWidth from 'string-width'
import {
  blocksOf,
  countOf,
  firstOf,
  isFolded,
  LIMITS,
  MARKS,
  textOf,
  type Block,
  type Document,
  type Figure,
  type List,
  type Table,
  type Text,
  type Tone,
} from './document.ts'
import { shorten, terminalText } from './escape.ts'

type Paint = (tone: Tone | 'bold', text: string) => string

/** How a document is shown on a terminal. */
export interface TerminalOptions {
  /** Adds colours. Without it the text is plain. */
  readonly paint?: Paint
  /** Lines below the verdict: where the reports are, and what to do next. Empty if no report is written. */
  readonly footer?: readonly string[]
  /** Where the rest of a list is. Without it, in the report, or in the JSON if no report is written. */
  readonly rest?: string
  /** Tables show all rows, however many lines that takes. */
  readonly isWhole?: boolean
}

const { columns: COLUMNS, text: MAX_TEXT, rows: MAX_ROWS, lines: MAX_LINES, sections } = LIMITS.terminal
const { checks: MAX_CHECKS } = LIMITS.terminal
/** Columns of a block without its indent. Two columns separate two half blocks. */
const WIDTH = { whole: COLUMNS - 2, half: COLUMNS / 2 - 3 }
/** Columns of a question that is followed by its reasons. */
const MAX_HEAD = 32
/** Columns of a heading before a long count. */
const MIN_TITLE = 16
/** Columns of a cell that is cut. */
const MIN_COLUMN = 8

interface Screen {
  readonly paint: Paint
  readonly isWhole: boolean
  /** Where the rest of a list is. */
  readonly rest: string
}

/** Returns lines without line ends. */
export function renderTerminal(
  { title, facts, verdict, ...document }: Document,
  { paint = (_, text) => text, footer, rest: elsewhere, isWhole = false }: TerminalOptions = {},
): string[] {
  const [reason, brief] = [verdict.reason, verdict.brief].map((text) => text && plainOf(text, Infinity))
  const [first, ...rest] = wrap(reason ?? '', COLUMNS - verdict.word.length - 5, brief)
  const head = ['', ...headline(plainOf(title, COLUMNS), facts, paint)]
  const end = [
    '',
    paint(verdict.tone, `${MARKS[verdict.tone]} ${verdict.word}`) +
      (first === undefined ? '' : ` · ${first}`),
    ...indent([...rest, ...(footer ?? [])]),
  ]
  const blocks = blocksOf(document, sections)
  const screen = {
    paint,
    isWhole,
    rest: elsewhere ?? (footer?.length === 0 ? 'with --json' : 'in the report'),
  }
  const maxLines = isWhole ? Infinity : MAX_LINES - head.length - end.length
  return [...head, ...renderBlocks(blocks, screen, maxLines), ...end]
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`.trimEnd())

/** Title and facts on one line if both fit, else on two. */
function headline(title: string, facts: string, paint: Paint): string[] {
  const gap = COLUMNS - stringWidth(title) - stringWidth(facts)
  if (gap >= 2) return [paint('bold', title) + ' '.repeat(gap) + facts]
  return [paint('bold', shorten(title, COLUMNS)), facts]
}

/** A block, two half blocks side by side, or a note. */
interface Part {
  readonly kind: 'whole' | 'half' | 'note'
  readonly titles: string
  readonly lines: readonly string[]
  readonly isChecklist: boolean
}

/** Shows whole parts as long as they fit, and names the others. Checklists need not fit. */
function renderBlocks(blocks: readonly Block[], screen: Screen, maxLines: number): string[] {
  const parts = partsOf(blocks, screen)
  const all = joinParts(parts)
  if (all.length <= maxLines) return all
  const shown: Part[] = []
  const leftOut: string[] = []
  for (const part of parts) {
    if (part.isChecklist || joinParts([...shown, part]).length <= maxLines - 2) shown.push(part)
    else leftOut.push(part.titles)
  }
  if (leftOut.length === 0) return joinParts(shown)
  const more = `  More ${screen.rest}: ${[...new Set(leftOut)].join(', ')}`
  return [...joinParts(shown), '', shorten(more, COLUMNS)]
}

/** Puts a blank line before each part, except a note after a note. */
const joinParts = (parts: readonly Part[]): string[] =>
  parts.flatMap(({ kind, lines }, index) => {
    if (kind !== 'note') return ['', ...indent(lines)]
    return parts[index - 1]?.kind === 'note' ? lines : ['', ...lines]
  })

function partsOf(blocks: readonly Block[], screen: Screen): Part[] {
  const parts: Part[] = []
  for (const block of blocks) {
    const kind = block.kind === 'note' ? 'note' : 'half' in block && block.half === true ? 'half' : 'whole'
    const lines = renderBlock(block, WIDTH[kind === 'half' ? 'half' : 'whole'], screen)
    if (lines.length === 0) continue
    const titles = 'title' in block ? plainOf(block.title) : 'notes'
    const isChecklist = 'isChecklist' in block && block.isChecklist === true
    const before = parts.at(-1)
    if (kind === 'half' && before?.kind === 'half')
      parts.splice(-1, 1, {
        kind: 'whole',
        titles: `${before.titles}, ${titles}`,
        lines: sideBySide(before.lines, lines),
        isChecklist: isChecklist || before.isChecklist,
      })
    else parts.push({ kind, titles, lines, isChecklist })
  }
  return parts
}

function renderBlock(block: Block, width: number, screen: Screen): string[] {
  if (isFolded(block) || ('isSaidBelow' in block && block.isSaidBelow === true)) return []
  switch (block.kind) {
    case 'figures':
      return renderFigures(block.figures, screen.paint)
    case 'note':
      return renderNote(block.text, block.tone, screen.paint)
    case 'table':
      return renderTable(block, width, screen)
    case 'list':
      return renderList(block, width, screen)
    case 'chart':
      return []
  }
}

function renderNote(text: Text, tone: Tone, paint: Paint): string[] {
  const [first = '', ...rest] = wrap(plainOf(text, Infinity), COLUMNS - 4)
  return [`${paint(tone, MARKS[tone])} ${first}`, ...indent(rest)]
}

/** A share of `width` columns. */
export function drawBar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}

/** Columns of a bar. */
const BAR_WIDTH = { max: 30, min: 8 }

/** Bars are as long as the texts behind them allow, and left out where there is no room. */
function renderFigures(figures: readonly Figure[], paint: Paint): string[] {
  const rows = figures.map(({ label, value, of = '', bar, note, change, tone }) => ({
    cells: [label, paint(tone ?? 'bold', value), `${of} `],
    bar,
    behind: [change && paint(change.tone, change.value), note && plainOf(note)].filter(Boolean).join('   '),
  }))
  const cells = widthsOf(rows.map((row) => row.cells)).reduce((sum, width) => sum + width + 2, 0)
  const [behind = 0] = widthsOf(rows.flatMap((row) => (row.bar === undefined ? [] : [[row.behind]])))
  const width = Math.min(BAR_WIDTH.max, WIDTH.whole - cells - behind - 3)
  const lines = rows.map((row) => [
    ...row.cells,
    [row.bar && width >= BAR_WIDTH.min && drawBar(row.bar.rate, width), row.behind]
      .filter(Boolean)
      .join('   '),
  ])
  return inColumns(lines, 'lrrl', WIDTH.whole)
}

function renderTable(table: Table, width: number, screen: Screen): string[] {
  const { title, columns, words = 1, rows, total, isChecklist } = table
  const maxRows = screen.isWhole ? Infinity : isChecklist === true ? MAX_CHECKS : MAX_ROWS
  const { shown, more } = firstOf(rows, maxRows, total)
  const header = columns.length > 3 ? [columns] : []
  const cells = [...header, ...shown.map((row) => row.cells)].map((row) => row.map((cell) => plainOf(cell)))
  const lines = inColumns(cells, 'l'.repeat(words).padEnd(columns.length, 'r'), width)
  return titled([plainOf(title), ''], lines, more, width, screen)
}

/** Items with their count before them, or with their reasons after them. */
function renderList(list: List, width: number, screen: Screen): string[] {
  const { shown, more } = firstOf(list.items, MAX_ROWS, list.total)
  const hasCounts = shown.some(({ count }) => count !== undefined)
  const hasReasons = list.half !== true && shown.some(({ details = [] }) => details.length > 0)
  const rows = shown.map(({ text, count = '', details = [] }) => [
    ...(hasCounts ? [String(count)] : []),
    plainOf(text, hasReasons ? MAX_HEAD : undefined),
    ...(hasReasons ? [details.map((one) => plainOf(one)).join('; ')] : []),
  ])
  const lines = inColumns(rows, `${hasCounts ? 'r' : ''}l${hasReasons ? 'l' : ''}`, width)
  return titled([plainOf(list.title), ` (${countOf(list)})`], lines, more, width, screen)
}

/** Of a title that is too long, its words are cut, not its count. */
const titled = (
  [title, count]: readonly [title: string, count: string],
  lines: readonly string[],
  more: number,
  width: number,
  { paint, rest }: Screen,
): string[] => [
  paint('bold', shorten(shorten(title, Math.max(MIN_TITLE, width - stringWidth(count))) + count, width)),
  ...lines,
  ...(more > 0 ? [`${more} more ${rest}`] : []),
]

/** Of each column: its widest cell. */
const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  Array.from(rows[0] ?? [], (_, index) => Math.max(...rows.map((row) => stringWidth(row[index] ?? ''))))

/** `sides`: `l` or `r` for each column. If the row is too long, its widest column is cut, then the next. */
function inColumns(rows: readonly (readonly string[])[], sides: string, width: number): string[] {
  const widths = widthsOf(rows)
  let over = widths.reduce((sum, one) => sum + one, 2 * (widths.length - 1)) - width
  while (over > 0) {
    const widest = Math.max(...widths)
    if (widest <= MIN_COLUMN) break
    const cut = Math.min(over, widest - MIN_COLUMN)
    widths[widths.indexOf(widest)] = widest - cut
    over -= cut
  }
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const own = widths[index] ?? 0
        const fitting = stringWidth(cell) <= own ? cell : shorten(withoutColours(cell), own)
        const gap = ' '.repeat(Math.max(0, own - stringWidth(fitting)))
        return sides[index] === 'l' ? fitting + gap : gap + fitting
      })
      .join('  ')
      .trimEnd(),
  )
}

// oxlint-disable-next-line no-control-regex
const withoutColours = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, '')

/** Two half blocks; the result is as long as the longer one. */
const sideBySide = (one: readonly string[], other: readonly string[]): string[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, index) => {
    const left = one[index] ?? ''
    return left + ' '.repeat(WIDTH.half + 2 - stringWidth(left)) + (other[index] ?? '')
  })

/** One line that is safe on a terminal. */
const plainOf = (text: Text, maxColumns: number = MAX_TEXT): string =>
  textOf(text, (foreign) => shorten(terminalText(foreign), maxColumns))

/**
 * Three lines at most. The last one is cut; if the text is too long, it is the `brief` text. `50 %` stays
 * together.
 */
function wrap(text: string, columns: number, brief?: string): string[] {
  const lines: string[] = []
  for (const word of text.split(/ (?!%)/)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trimStart()
    if (lines.length > 0 && stringWidth(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const [first = '', second = '', ...others] = lines
  const three =
    others.length > 1 && brief !== undefined
      ? [first, `${second} …`, brief]
      : [first, second, others.join(' ')]
  return three.filter((one) => one !== '').map((one) => shorten(one, columns))
}
