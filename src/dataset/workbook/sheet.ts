// Reads the rows of a sheet as they are unpacked: cells as displayed, merged cells filled downwards.
import { excerpt } from '../messages.ts'
import { damaged } from './archive.ts'
import type { Display } from './displayed.ts'
import { decodeSigns, readElements } from './xml.ts'

export interface SheetRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly fault: string | undefined
  /** The program kept no value of these cells with a formula. */
  readonly withoutValue: readonly string[]
}

export interface CellTexts {
  readonly strings: readonly string[]
  readonly display: Display
}

const MAX_COLUMNS = 16_384

/** Yields every row that the sheet holds, empty ones included. Throws WorkbookError. */
export async function* readSheetRows(
  chunks: AsyncIterable<Buffer>,
  texts: CellTexts,
  merges: readonly Merge[],
): AsyncGenerator<SheetRow> {
  const ready: SheetRow[] = []
  const fill = createFiller(merges)
  let row = newRow(0)
  let cell = newCell(0, 0, {})
  let next = 0
  const open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'row') {
      const line = Number(attributes['r'] ?? row.line + 1)
      if (!Number.isInteger(line)) throw damaged('a row has no number')
      row = newRow(line)
      next = 0
    } else if (name === 'c') {
      cell = newCell(row.line, next, attributes)
      next = cell.index + 1
    }
    if (name === 'f') cell.hasFormula = true
    if (name === 'rPh') cell.isPhonetic = true
  }
  const close = (name: string, text: string): void => {
    if (name === 'v') Object.assign(cell, { value: cell.type === 'str' ? text : text.trim(), hasValue: true })
    else if (name === 't' && !cell.isPhonetic) cell.text += text
    else if (name === 'rPh') cell.isPhonetic = false
    else if (name === 'c') {
      if (!(cell.index >= 0 && cell.index < MAX_COLUMNS))
        throw damaged(`row ${row.line} has a cell in no column`)
      // An empty text is a value of a formula.
      if (cell.hasFormula && (cell.type === 'str' ? !cell.hasValue : cell.value === ''))
        row.withoutValue.push(cell.name)
      const shown = textOf(cell, texts)
      if (typeof shown !== 'string') row.fault ??= `cell ${cell.name} ${shown.fault}`
      else if (shown !== '') {
        while (row.cells.length < cell.index) row.cells.push('')
        row.cells[cell.index] = shown
      }
    } else if (name === 'row') {
      fill(row.line, row.cells)
      ready.push(row)
    }
  }
  for await (const _ of readElements(chunks, { open, close })) yield* ready.splice(0)
}

const newRow = (line: number) => ({
  line,
  cells: [] as string[],
  fault: undefined as string | undefined,
  withoutValue: [] as string[],
})

/** A cell that does not name its column stands in `next`. */
function newCell(line: number, next: number, attributes: Readonly<Record<string, string>>) {
  const name = attributes['r'] || `${columnName(next)}${line}`
  return {
    index: columnIndex(name),
    name,
    type: attributes['t'] ?? 'n',
    style: Number(attributes['s'] ?? 0),
    value: '',
    text: '',
    hasValue: false,
    hasFormula: false,
    isPhonetic: false,
  }
}

const columnName = (index: number): string =>
  index < 0 ? '' : columnName(Math.floor(index / 26) - 1) + String.fromCharCode(65 + (index % 26))

function columnIndex(name: string): number {
  let number = 0
  for (const letter of name.replace(/\d+$/, '')) number = number * 26 + Number.parseInt(letter, 36) - 9
  return number - 1
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

/** Tells the text that the cell displays, or what is wrong with it. */
function textOf(
  { name, type, value, hasValue, text, style }: ReturnType<typeof newCell>,
  { strings, display }: CellTexts,
): string | { readonly fault: string } {
  if (type === 'inlineStr') return decodeSigns(text)
  if (value === '' && !(type === 's' && hasValue)) return ''
  switch (type) {
    case 's': {
      const shared = /^\d+$/.test(value) ? strings[Number(value)] : undefined
      if (shared === undefined) throw damaged(`cell ${name} has a text that is not there`)
      return shared
    }
    case 'str':
      return decodeSigns(value)
    case 'b':
      return isTrue(value) ? 'TRUE' : 'FALSE'
    case 'e':
      return { fault: `holds the error ${value}; correct it, or clear the cell` }
    case 'd':
      return (
        display.date(value, style) ?? { fault: `holds ${excerpt(value)}, which is no date; write it anew` }
      )
    default:
      if (!NUMBER.test(value))
        return { fault: `holds ${excerpt(value)}, which is no number; write it anew, or clear the cell` }
      return display.number(Number(value), style) ?? { fault: UNSHOWN }
  }
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i
const UNSHOWN = 'holds a number that its format cannot show; give the cell another format, or write a text'

export interface Merge {
  readonly column: number
  readonly firstRow: number
  readonly lastRow: number
}

/** Merged cells stand behind the rows, so the sheet is read before: its tags are searched, and not parsed. */
export async function readMerges(chunks: AsyncIterable<Buffer>): Promise<Merge[]> {
  const merges: Merge[] = []
  let text = ''
  for await (const chunk of chunks) {
    text += chunk.toString('latin1')
    for (const [, column = '', first, last] of text.matchAll(MERGE))
      merges.push({ column: columnIndex(column), firstRow: Number(first), lastRow: Number(last) })
    text = text.slice(text.lastIndexOf('<'))
  }
  return merges.filter(({ firstRow, lastRow }) => lastRow > firstRow)
}

const MERGE = /<(?:\w+:)?mergeCell\s[^>]*?ref\s*=\s*["']([A-Z]+)(\d+):[A-Z]+(\d+)["']/g

function createFiller(merges: readonly Merge[]): (line: number, cells: string[]) => void {
  const byRow = new Map<number, Merge[]>()
  for (const merge of merges) byRow.set(merge.firstRow, [...(byRow.get(merge.firstRow) ?? []), merge])
  const active = new Map<number, { readonly lastRow: number; readonly text: string }>()
  return (line, cells) => {
    const hasOthers = active.size > 0 && cells.some((cell) => cell !== '')
    for (const [column, { lastRow, text }] of active) {
      if (line > lastRow) active.delete(column)
      else if (hasOthers && (cells[column] ?? '') === '') {
        while (cells.length < column) cells.push('')
        cells[column] = text
      }
    }
    for (const { column, lastRow } of byRow.get(line) ?? [])
      active.set(column, { lastRow, text: cells[column] ?? '' })
  }
}
