// A document on a terminal: its overview within one screen, 80 columns wide.
import stringWidth from 'string-width'
import {
  blocksOf,
  countOf,
  firstOf,
  LIMITS,
  mapSpans,
  MARKS,
  type Bar,
  type Block,
  type Document,
  type Figure,
  type List,
  type Table,
  type Text,
  type Tone,
} from './document.ts'
import { shorten, terminalText } from './escape.ts'

export interface TerminalOptions {
  /** 80 where nothing is known. */
  readonly columns?: number
  /** Colours a text where the terminal has colours. */
  readonly paint?: (tone: Tone | 'bold', text: string) => string
  /** Below the verdict: where the reports are, and what to do next. */
  readonly footer?: readonly string[]
}

const { text: MOST_TEXT, rows: MOST_ROWS, lines: MOST_LINES, sections: SECTIONS } = LIMITS.terminal
/** Columns of a question before its reasons. */
const MOST_HEAD = 32

/** Lines without an end. */
export function renderTerminal(document: Document, options: TerminalOptions = {}): string[] {
  const screen = { columns: options.columns ?? 80, paint: options.paint ?? ((_, text) => text) }
  const { title, facts, verdict } = document
  const reason = wrap(plainOf(verdict.reason, Infinity), screen.columns - verdict.word.length - 5, 3)
  const [first = '', ...rest] = reason
  const head = ['', ...headline(plainOf(title, screen.columns), facts, screen)]
  const end = [
    '',
    screen.paint(verdict.tone, `${MARKS[verdict.tone]} ${verdict.word}`) +
      (first === '' ? '' : ` · ${first}`),
    ...rest.map((line) => `  ${line}`),
    ...(options.footer ?? []).map((line) => `  ${line}`),
  ]
  return [
    ...head,
    ...renderBlocks(blocksOf(document, SECTIONS), screen, MOST_LINES - head.length - end.length),
    ...end,
  ]
}

interface Screen {
  readonly columns: number
  readonly paint: NonNullable<TerminalOptions['paint']>
}

/** The title, with the facts at the right where both fit into a line. */
function headline(title: string, facts: string, { columns, paint }: Screen): string[] {
  const gap = columns - stringWidth(title) - stringWidth(facts)
  if (gap >= 2) return [paint('bold', title) + ' '.repeat(gap) + facts]
  return [paint('bold', shorten(title, columns)), facts].filter((line) => line !== '')
}

/** What stands together on the screen: a block, two of half the width, or a note. */
interface Part {
  readonly kind: 'whole' | 'half' | 'note'
  readonly titles: readonly string[]
  readonly lines: readonly string[]
}

/** Whole parts as long as they fit; the others are named. A blank line is before each, but for a note after a note. */
function renderBlocks(blocks: readonly Block[], screen: Screen, most: number): string[] {
  const parts = partsOf(blocks, screen)
  const whole = joinParts(parts)
  if (whole.length <= most) return whole
  const shown: Part[] = []
  const leftOut: string[] = []
  for (const part of parts) {
    if (joinParts([...shown, part]).length <= most - 2) shown.push(part)
    else leftOut.push(...part.titles)
  }
  const more = `  More in the report: ${[...new Set(leftOut)].join(', ')}`
  return [...joinParts(shown), '', shorten(more, screen.columns)]
}

const joinParts = (parts: readonly Part[]): string[] =>
  parts.flatMap(({ kind, lines }, place) =>
    kind === 'note'
      ? [...(parts[place - 1]?.kind === 'note' ? [] : ['']), ...lines]
      : ['', ...lines.map((line) => `  ${line}`.trimEnd())],
  )

function partsOf(blocks: readonly Block[], screen: Screen): Part[] {
  const parts: Part[] = []
  for (const block of blocks) {
    const isHalf = 'half' in block && block.half === true && screen.columns >= 60
    const width = isHalf ? Math.floor((screen.columns - 6) / 2) : screen.columns - 2
    const lines = renderBlock(block, width, screen)
    if (lines.length === 0) continue
    const titles = 'title' in block ? [plainOf(block.title)] : ['notes']
    const before = parts.at(-1)
    if (isHalf && before?.kind === 'half')
      parts[parts.length - 1] = {
        kind: 'whole',
        titles: [...before.titles, ...titles],
        lines: sideBySide(before.lines, lines, width),
      }
    else parts.push({ kind: block.kind === 'note' ? 'note' : isHalf ? 'half' : 'whole', titles, lines })
  }
  return parts
}

function renderBlock(block: Block, width: number, screen: Screen): string[] {
  if (
    (block.kind === 'table' || block.kind === 'list') &&
    (block.fold === true || block.isInVerdict === true)
  )
    return []
  switch (block.kind) {
    case 'figures':
      return renderFigures(block.figures, screen)
    case 'note':
      return renderNote(block.text, block.tone, screen)
    case 'table':
      return renderTable(block, width, screen)
    case 'list':
      return renderList(block, width, screen)
    case 'chart':
      return []
  }
}

function renderNote(text: Text, tone: Tone, { columns, paint }: Screen): string[] {
  const [first = '', ...rest] = wrap(plainOf(text, Infinity), columns - 4, 2)
  return [`${paint(tone, MARKS[tone])} ${first}`, ...rest.map((line) => `  ${line}`)]
}

/** Columns of a bar; fewer where the change since the baseline stands behind it. */
const BAR_WIDTH = { alone: 30, beforeChange: 12 }

function renderFigures(figures: readonly Figure[], { columns, paint }: Screen): string[] {
  const hasChange = figures.some((figure) => figure.change !== undefined)
  const rows = figures.map(({ label, value, of = '', bar, note, change, tone }) => [
    label,
    paint(tone ?? 'bold', value),
    `${of} `,
    [
      ...(bar === undefined ? [] : [drawBar(bar, BAR_WIDTH[hasChange ? 'beforeChange' : 'alone'])]),
      ...(change === undefined ? [] : [paint(change.tone, change.value)]),
      ...(note === undefined ? [] : [plainOf(note)]),
    ].join('   '),
  ])
  return inColumns(rows, 'lrrl', columns - 2)
}

function drawBar({ rate }: Bar, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, rate)) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}

function renderTable(
  { title, columns, words = 1, rows, total }: Table,
  width: number,
  screen: Screen,
): string[] {
  const { shown, more } = firstOf(rows, MOST_ROWS, total)
  const header = columns.length > 3 ? [columns] : []
  const cells = [...header, ...shown.map((row) => row.cells)].map((row) => row.map((cell) => plainOf(cell)))
  const lines = inColumns(cells, 'l'.repeat(words).padEnd(columns.length, 'r'), width)
  return titled(plainOf(title), lines, more, width, screen)
}

/** In front of each item how many it stands for, else the reasons behind it. */
function renderList(list: List, width: number, screen: Screen): string[] {
  const { shown, more } = firstOf(list.items, MOST_ROWS, list.total)
  const hasCounts = shown.some(({ count }) => count !== undefined)
  const hasReasons = !hasCounts && list.half !== true
  const rows = shown.map(({ text, count = '', details = [] }) => {
    const reasons = details.map((one) => plainOf(one)).join('; ')
    if (hasCounts) return [String(count), plainOf(text)]
    return hasReasons && reasons !== '' ? [plainOf(text, MOST_HEAD), reasons] : [plainOf(text)]
  })
  const lines = inColumns(rows, hasCounts ? 'rl' : hasReasons ? 'll' : 'l', width)
  return titled(`${plainOf(list.title)} (${countOf(list)})`, lines, more, width, screen)
}

const titled = (
  title: string,
  lines: readonly string[],
  more: number,
  width: number,
  { paint }: Screen,
): string[] => [
  paint('bold', shorten(title, width)),
  ...lines,
  ...(more > 0 ? [`${more} more in the report`] : []),
]

/** `sides`: a letter a column, `l` stands left and `r` right. What does not fit is taken from the widest column. */
function inColumns(rows: readonly (readonly string[])[], sides: string, width: number): string[] {
  const widths = Array.from(sides, (_, place) =>
    Math.max(...rows.map((row) => stringWidth(row[place] ?? ''))),
  )
  const over = widths.reduce((sum, one) => sum + one, 2 * (widths.length - 1)) - width
  const widest = widths.indexOf(Math.max(...widths))
  if (over > 0) widths[widest] = Math.max(8, (widths[widest] ?? 0) - over)
  return rows.map((row) =>
    row
      .map((cell, place) => {
        const own = widths[place] ?? 0
        const fitting = stringWidth(cell) <= own ? cell : shorten(withoutColours(cell), own)
        const gap = ' '.repeat(Math.max(0, own - stringWidth(fitting)))
        return sides[place] === 'l' ? fitting + gap : gap + fitting
      })
      .join('  ')
      .trimEnd(),
  )
}

// oxlint-disable-next-line no-control-regex
const withoutColours = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, '')

/** Two blocks beside each other, as long as the longer one. */
function sideBySide(one: readonly string[], other: readonly string[], width: number): string[] {
  const rows = Array.from({ length: Math.max(one.length, other.length) }, (_, place) => [
    one[place] ?? '',
    other[place] ?? '',
  ])
  return inColumns([[' '.repeat(width), ''], ...rows], 'll', 2 * width + 2).slice(1)
}

/** In one line, nothing in it acts. */
const plainOf = (text: Text, most: number = MOST_TEXT): string =>
  mapSpans(
    text,
    (own) => own,
    (foreign) => (most === Infinity ? terminalText(foreign) : shorten(terminalText(foreign), most)),
  ).join('')

/** At most so many lines; what does not fit is cut. */
function wrap(text: string, columns: number, most: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (stringWidth(longer) <= columns) line = longer
    else {
      if (line !== '') lines.push(line)
      line = word
    }
  }
  if (line !== '') lines.push(line)
  const shown = lines.slice(0, most).map((one) => shorten(one, columns))
  if (lines.length > most) shown[most - 1] = shorten(`${shown[most - 1] ?? ''} ${lines[most] ?? ''}`, columns)
  return shown
}
