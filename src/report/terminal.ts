// A document on a terminal: its overview on one screen, 80 columns wide.
import stringWidth from 'string-width'
import {
  blocksOf,
  countOf,
  firstOf,
  MARKS,
  mapSpans,
  type Block,
  type Document,
  type Figure,
  type List,
  type Table,
  type Text,
  type Tone,
} from './document.ts'
import { digits, drawBar } from '../domain/format.ts'
import { shorten, terminalText } from './escape.ts'

type Paint = (tone: Tone | 'bold', text: string) => string

export interface TerminalOptions {
  /** Colours are added by this; the text is plain without it. */
  readonly paint?: Paint
  /** They say below the verdict where the reports are, and what to do next. Empty without a report. */
  readonly footer?: readonly string[]
  /** It says where the rest of a list is: by default the report, or the JSON if no report is written. */
  readonly rest?: string
  /** Every table and list shows so many rows, however many lines that takes. */
  readonly rows?: number | undefined
}

const COLUMNS = 80
const WIDTH = COLUMNS - 2
const MAX_LINES = 30
/** A block has as many of these rows as there is room for. */
const ROWS = [1, 2, 4]
/** A text from elsewhere is cut at so many columns. */
const MAX_TEXT = 70
/** These lists are what a run is made for: they give way to no other. */
const FIRST = ['is:gap', 'is:unsupported'].map((find) => JSON.stringify({ find }))
/** A text keeps so many columns beside numbers, which are not cut. */
const MIN_WORDS = 8
/** A question that is followed by its reasons is cut at so many columns, with all that stands before it. */
const MAX_QUESTION = 32
const MAX_HEAD = 50
const MIN_TITLE = 16

interface Screen {
  readonly paint: Paint
  readonly rest: string
}

export function renderTerminal(
  document: Document,
  { paint = (_, text) => text, footer, rest: elsewhere, rows }: TerminalOptions = {},
): string[] {
  const { title, facts, verdict, resume } = document
  const reason = plainOf(verdict.reason, Infinity)
  const [first, ...rest] = wrap(reason, COLUMNS - verdict.word.length - 5)
  const head = ['', ...headline(plainOf(title, COLUMNS), facts, paint)]
  const end = [
    '',
    paint(verdict.tone, `${MARKS[verdict.tone]} ${verdict.word}`) +
      (first === undefined ? '' : ` · ${first}`),
    ...indent([...rest, ...(footer ?? []), ...(resume === undefined ? [] : [`Resume: ${resume}`])]),
  ]
  const screen = { paint, rest: elsewhere ?? (footer?.length === 0 ? 'with --json' : 'in the report') }
  const parts = partsOf(blocksOf(document, ['overview']), rows === undefined ? ROWS : [rows], screen)
  const maxLines = rows === undefined ? MAX_LINES - head.length - end.length : Infinity
  return [...head, ...renderParts(parts, screen, maxLines), ...end]
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`.trimEnd())

function headline(title: string, facts: string, paint: Paint): string[] {
  const gap = COLUMNS - stringWidth(title) - stringWidth(facts)
  if (gap >= 2) return [paint('bold', title) + ' '.repeat(gap) + facts]
  return [paint('bold', shorten(title, COLUMNS)), facts]
}

interface Part {
  readonly isNote: boolean
  readonly title: string
  readonly forms: readonly (readonly string[])[]
  /** The rank is 0 for figures, which are never left out, and 1 for what a run is made for. */
  readonly rank: number
}

function partsOf(blocks: readonly Block[], rows: readonly number[], screen: Screen): Part[] {
  return blocks
    .map((block): Part => ({
      isNote: block.kind === 'note',
      title: 'title' in block ? plainOf(block.title) : 'notes',
      forms: rows.map((maxRows) => renderBlock(block, maxRows, screen)),
      rank:
        block.kind === 'figures' ? 0 : 'link' in block && FIRST.includes(JSON.stringify(block.link)) ? 1 : 2,
    }))
    .filter(({ forms: [shortest = []] }) => shortest.length > 0)
}

/**
 * Names the parts that do not fit. By rank each part gets its shortest form, and then, as far as there is
 * room, longer ones.
 */
function renderParts(parts: readonly Part[], screen: Screen, maxLines: number): string[] {
  const chosen = new Map<Part, readonly string[]>()
  const linesWith = (more: ReadonlyMap<Part, readonly string[]>): string[] =>
    joinParts(parts.flatMap((part) => ({ ...part, lines: more.get(part) ?? chosen.get(part) ?? [] })))
  const shortest = new Map(parts.map((part) => [part, part.forms[0] ?? []]))
  // Where the others are takes two lines.
  const room = linesWith(shortest).length <= maxLines ? maxLines : maxLines - 2
  for (const form of ROWS.keys())
    for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
      const lines = part.forms[form] ?? chosen.get(part) ?? []
      const fits = linesWith(new Map([[part, lines]])).length <= room
      if (form === 0 ? part.rank === 0 || fits : chosen.has(part) && fits) chosen.set(part, lines)
    }
  const leftOut = parts.flatMap((part) => (chosen.has(part) ? [] : [part.title]))
  if (leftOut.length === 0) return linesWith(chosen)
  const more = `  More ${screen.rest}: ${[...new Set(leftOut)].join(', ')}`
  return [...linesWith(chosen), '', shorten(more, COLUMNS)]
}

/** Puts a blank line before each part, except a note after a note. */
function joinParts(
  parts: readonly { readonly isNote: boolean; readonly lines: readonly string[] }[],
): string[] {
  const shown = parts.filter(({ lines }) => lines.length > 0)
  return shown.flatMap(({ isNote, lines }, index) => {
    if (!isNote) return ['', ...indent(lines)]
    return shown[index - 1]?.isNote === true ? lines : ['', ...lines]
  })
}

function renderBlock(block: Block, maxRows: number, screen: Screen): string[] {
  if ('isMinor' in block && block.isMinor === true) return []
  switch (block.kind) {
    case 'figures':
      return renderFigures(block.figures, screen.paint)
    case 'note':
      return renderNote(block.text, block.tone, screen.paint)
    case 'table':
      return renderTable(block, maxRows, screen)
    case 'list':
      return renderList(block, maxRows, screen)
    // The verdict says which gates failed.
    case 'gates':
    case 'chart':
      return []
  }
}

function renderNote(text: Text, tone: Tone, paint: Paint): string[] {
  const [first = '', ...rest] = wrap(plainOf(text, Infinity), COLUMNS - 4)
  return [`${paint(tone, MARKS[tone])} ${first}`, ...indent(rest)]
}

const BAR_WIDTH = { max: 30, min: 8 }

/**
 * Values stand under each other, unless more than one note has to be wrapped. Bars are as long as the texts
 * behind them allow, and left out where there is no room.
 */
function renderFigures(figures: readonly Figure[], paint: Paint): string[] {
  const aligned = figureLines(figures, 3, paint)
  const lines = aligned.length <= figures.length + 1 ? aligned : figureLines(figures, 1, paint)
  return inColumns(lines, lines === aligned ? 'lrrl' : 'll', WIDTH)
}

/** So many `columns` of label, value and whole stand before all else. */
function figureLines(figures: readonly Figure[], columns: number, paint: Paint): string[][] {
  const rows = figures.map(({ label, value, of = '', bar, note, change, tone }) => ({
    cells: [label, paint(tone ?? 'bold', value), columns === 1 ? of : `${of} `],
    bar: columns === 1 ? undefined : bar,
    behind: [change && paint(change.tone, change.value), note && plainOf(note)].filter(Boolean).join('   '),
  }))
  const room = WIDTH - sum(widthsOf(rows.map(({ cells }) => cells.slice(0, columns)))) - 2 * columns
  const [behind = 0] = widthsOf(rows.flatMap((row) => (row.bar === undefined ? [] : [[row.behind]])))
  const width = Math.min(BAR_WIDTH.max, room - behind - 3)
  return rows.flatMap(({ cells, bar, behind: notes }) => {
    const drawn = bar && width >= BAR_WIDTH.min ? drawBar(bar.rate, width) : ''
    const text = [...cells.slice(columns), drawn, notes].filter((part) => part !== '').join('   ')
    const [first = '', ...others] = stringWidth(text) > room ? wrap(text, room) : [text]
    const empty = Array.from({ length: columns }, () => '')
    return [[...cells.slice(0, columns), first], ...others.map((other) => [...empty, other])]
  })
}

function renderTable({ title, columns, words = 1, rows, total }: Table, maxRows: number, screen: Screen) {
  const { shown, more } = firstOf(rows, maxRows, total)
  const header = columns.length > 3 ? [columns] : []
  const cells = [...header, ...shown.map((row) => row.cells)].map((row) => row.map((cell) => plainOf(cell)))
  const lines = inColumns(cells, 'l'.repeat(words).padEnd(columns.length, 'r'), WIDTH)
  return titled([plainOf(title), ''], lines, more, screen)
}

function renderList(list: List, maxRows: number, screen: Screen): string[] {
  const { shown, more } = firstOf(list.items, maxRows, list.total)
  const countWidth = Math.max(...shown.map(({ count = '' }) => String(count).length))
  const hasReasons = shown.some(({ details = [] }) => details.length > 0)
  const maxText = hasReasons ? MAX_HEAD : WIDTH - (countWidth && countWidth + 2)
  const rows = shown.map(({ text, count = '', details = [] }) => [
    ...(countWidth > 0 ? [String(count)] : []),
    plainOf(text, maxText, hasReasons ? MAX_QUESTION : maxText),
    ...(hasReasons ? [details.map((detail) => plainOf(detail)).join('; ')] : []),
  ])
  const lines = inColumns(rows, `${countWidth > 0 ? 'r' : ''}l${hasReasons ? 'l' : ''}`, WIDTH)
  // The title has the number of all.
  return titled([plainOf(list.title), ` (${countOf(list)})`], lines, maxRows > 1 ? more : 0, screen)
}

/** A title that is too long loses words, not its count. */
const titled = (
  [title, count]: readonly [title: string, count: string],
  lines: readonly string[],
  more: number,
  { paint, rest }: Screen,
): string[] => [
  paint('bold', shorten(shorten(title, Math.max(MIN_TITLE, WIDTH - stringWidth(count))) + count, WIDTH)),
  ...lines,
  ...(more > 0 ? [`${digits(more)} more ${rest}`] : []),
]

const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  Array.from(rows[0] ?? [], (_, index) => Math.max(...rows.map((row) => stringWidth(row[index] ?? ''))))

/**
 * `sides` has `l` or `r` for each column. A row that is too long loses width in its widest column of words,
 * and at last whole columns: a number that is cut is another number.
 */
function inColumns(rows: readonly (readonly string[])[], sides: string, width: number): string[] {
  const widths = widthsOf(rows)
  let over = sum(widths) + 2 * (widths.length - 1) - width
  const words = [...widths.keys()].filter((index) => sides[index] === 'l')
  for (const index of words.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))) {
    const cut = Math.max(0, Math.min(over, (widths[index] ?? 0) - MIN_WORDS))
    widths[index] = (widths[index] ?? 0) - cut
    over -= cut
  }
  const narrower = (row: readonly string[]): string[] => row.slice(0, -1)
  if (over > 0) return inColumns(rows.map(narrower), sides, width)
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const room = widths[index] ?? 0
        const fitting = stringWidth(cell) <= room ? cell : shorten(withoutColours(cell), room)
        const gap = ' '.repeat(Math.max(0, room - stringWidth(fitting)))
        return sides[index] === 'l' ? fitting + gap : gap + fitting
      })
      .join('  ')
      .trimEnd(),
  )
}

// oxlint-disable-next-line no-control-regex
const withoutColours = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, '')

/** Texts from elsewhere are cut if the line is too long, the last first. */
function plainOf(text: Text, maxColumns: number = MAX_TEXT, maxForeign = maxColumns): string {
  const spans = mapSpans(
    text,
    (own) => ({ isForeign: false, shown: own }),
    (foreign) => ({ isForeign: true, shown: shorten(terminalText(foreign), maxForeign) }),
  )
  let over = sum(spans.map(({ shown }) => stringWidth(shown))) - maxColumns
  for (const span of spans.toReversed()) {
    if (!span.isForeign || over <= 0) continue
    const width = stringWidth(span.shown)
    span.shown = shorten(span.shown, Math.max(MIN_WORDS, width - over))
    over -= width - stringWidth(span.shown)
  }
  return spans.map(({ shown }) => shown).join('')
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** Three lines are shown at most; the last is cut. `50 %` stays together. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/ (?!%)/)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trimStart()
    const isLast = lines.length === 3
    if (lines.length > 0 && (isLast || stringWidth(longer) <= columns)) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.filter((line) => line !== '').map((line) => shorten(line, columns))
}
