// A document on a terminal: its overview within one screen, 80 columns wide.
import stringWidth from 'string-width'
import {
  blocksOf,
  firstOf,
  LIMITS,
  mapSpans,
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
/** Columns of a question's id. */
const MOST_ID = 24
const MARKS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', warn: '!', muted: '·' }

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

// oxlint-disable-next-line no-control-regex
const stripped = (line: string): string => line.replaceAll(/\u001b\[[\d;]*m/g, '')

/** Columns of a bar; fewer where the change since the baseline stands behind it. */
const BAR_WIDTH = { alone: 30, beforeChange: 12 }

function renderFigures(figures: readonly Figure[], { columns, paint }: Screen): string[] {
  const widthOf = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => stringWidth(text)))
  const labels = widthOf(figures.map(({ label }) => label))
  const values = widthOf(figures.map(({ value }) => value))
  const parts = widthOf(figures.map(({ of = '' }) => of))
  const width = BAR_WIDTH[figures.some(({ change }) => change !== undefined) ? 'beforeChange' : 'alone']
  return figures.map(({ label, value, of = '', bar, note, change, tone }) => {
    const head = `${left(label, labels)}  ${paint(tone ?? 'bold', right(value, values))}  ${right(of, parts)}`
    const tail = [
      ...(bar === undefined ? [] : [drawBar(bar, width)]),
      ...(change === undefined ? [] : [paint(change.tone, change.value)]),
      ...(note === undefined ? [] : [plainOf(note)]),
    ].join('   ')
    const room = columns - 2 - labels - values - parts - 7
    const line =
      tail === ''
        ? head
        : `${head}   ${stringWidth(stripped(tail)) <= room ? tail : shorten(stripped(tail), room)}`
    return line.trimEnd()
  })
}

function drawBar({ rate }: Bar, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, rate)) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}

function renderTable(
  { title, columns: labels, words = 1, rows, total }: Table,
  width: number,
  { paint }: Screen,
): string[] {
  const { shown, more } = firstOf(rows, MOST_ROWS, total)
  const header = labels.map((label) => plainOf(label))
  const cells = shown.map((row) => row.cells.map((cell) => plainOf(cell)))
  const hasHeader = labels.length > 3
  const all = hasHeader ? [header, ...cells] : cells
  const widths = labels.map((_, place) => Math.max(...all.map((row) => stringWidth(row[place] ?? ''))))
  const gaps = 2 * (widths.length - 1)
  // The widest column gives way.
  const over = widths.reduce((sum, one) => sum + one, gaps) - width
  const widest = widths.indexOf(Math.max(...widths))
  if (over > 0) widths[widest] = Math.max(8, (widths[widest] ?? 0) - over)
  const lines = all.map((row) =>
    row
      .map((cell, place) => {
        const own = widths[place] ?? 0
        return place < words ? left(shorten(cell, own), own) : right(shorten(cell, own), own)
      })
      .join('  ')
      .trimEnd(),
  )
  return [paint('bold', shorten(plainOf(title), width)), ...lines, ...moreLine(more)]
}

/** In front of each item how many it stands for; a failed question by its id, with the reasons. */
function renderList({ title, items, total }: List, width: number, { paint }: Screen): string[] {
  const { shown, more } = firstOf(items, MOST_ROWS, total)
  const heads = shown.map(({ id = '', count = '' }) => shorten(terminalText(id), MOST_ID) || String(count))
  const widest = Math.max(...heads.map((head) => stringWidth(head)))
  const lines = shown.map(({ id, text, details = [] }, place) => {
    const head = heads[place] ?? ''
    const said = id === undefined ? plainOf(text) : details.map((one) => plainOf(one)).join('; ')
    if (widest === 0) return shorten(said, width)
    return `${id === undefined ? right(head, widest) : left(head, widest)}  ${shorten(said, width - widest - 2)}`
  })
  return [paint('bold', shorten(plainOf(title), width)), ...lines, ...moreLine(more)]
}

const moreLine = (more: number): string[] => (more > 0 ? [`${more} more in the report`] : [])

/** Two blocks beside each other, as long as the longer one. */
function sideBySide(one: readonly string[], other: readonly string[], width: number): string[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, place) => {
    const [before, after] = [one[place] ?? '', other[place] ?? '']
    const gap = ' '.repeat(Math.max(0, width - stringWidth(stripped(before))))
    return `${before}${after === '' ? '' : `${gap}  ${after}`}`.trimEnd()
  })
}

const left = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)))
const right = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - stringWidth(text))) + text

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
