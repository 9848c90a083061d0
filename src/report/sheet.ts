// One sheet of a workbook as XML: a frozen header with filters, widths that can be read, texts that stay
// texts, and a choice of ratings in the column of reviews.
import { RATINGS } from '../domain/review.ts'
import { CUT_MARK, cut, pictureControls } from '../domain/text.ts'
import type { Cell, SheetTable } from './spreadsheet.ts'

/** A named table of a workbook; its rows are read once. */
export interface Sheet {
  /** At most 31 characters, none of `[]:*?/\`. */
  readonly name: string
  readonly header: readonly string[]
  readonly rows: () => Generator<readonly StyledCell[]>
}

interface StyledCell {
  readonly value: Cell
  readonly decimals: number | undefined
}

export const sheetOf = <Row>(name: string, { columns, rows }: SheetTable<Row>): Sheet => ({
  name: name.replaceAll(/[[\]:*?/\\]+/g, '-').slice(0, MAX_NAME),
  header: columns.map(([header]) => header),
  rows: function* () {
    for (const row of rows) yield columns.map(([, cell, decimals]) => ({ value: cell(row), decimals }))
  },
})

const MAX_NAME = 31
const MAX_ROWS = 1_048_576
const MORE_ROWS = '[more rows than Excel opens: see the CSV file beside this one]'
/** Each piece is one write to the disk. */
const ROWS_A_PIECE = 50

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

export function* renderSheet({ header, rows }: Sheet, isFirst: boolean): Generator<string> {
  const letters = header.map((_, index) => lettersOf(index))
  const last = letters.at(-1) ?? 'A'
  const reading = rows()
  const sample = takeSome(reading)
  yield (
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} ` +
    'workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    `</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>${columnsOf(header, sample)}<sheetData>`
  )
  let piece = rowOf(1, letters, (index) => textCell(header[index] ?? '', HEADER_STYLE))
  let line = 1
  for (const cells of oneAfterOther(sample, reading)) {
    line += 1
    const isTooLong = line === MAX_ROWS
    piece += isTooLong
      ? rowOf(line, letters.slice(0, 1), () => textCell(MORE_ROWS, TEXT_STYLE))
      : rowOf(line, letters, (index) => cellOf(cells[index]))
    if (isTooLong) break
    if (line % ROWS_A_PIECE > 0) continue
    yield piece
    piece = ''
  }
  const choice = choiceOf(letters[header.indexOf('review')])
  yield `${piece}</sheetData><autoFilter ref="A1:${last}${line}"/>${choice}</worksheet>`
}

function* oneAfterOther<T>(...all: readonly Iterable<T>[]): Generator<T> {
  for (const some of all) yield* some
}

const SAMPLE = 200

function takeSome<T>(reading: Iterator<T>): T[] {
  const some: T[] = []
  while (some.length < SAMPLE) {
    const { done, value } = reading.next()
    if (done === true) break
    some.push(value)
  }
  return some
}

/** 26 → `AA`. */
const lettersOf = (index: number): string =>
  (index < 26 ? '' : lettersOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

const MIN_WIDTH = 8
const MAX_WIDTH = 70
const ROOM: Readonly<Record<string, number>> = { review: 14, note: 40 }
/** The button of the filter covers the end of a header. */
const BUTTON = 4

function columnsOf(header: readonly string[], sample: readonly (readonly StyledCell[])[]): string {
  const columns = header.map((name, index) => {
    const lengths = sample
      .map((cells) =>
        Math.max(
          0,
          ...String(cells[index]?.value ?? '')
            .split('\n', 20)
            .map(({ length }) => length),
        ),
      )
      .toSorted((a, b) => a - b)
    const needed = (lengths[Math.floor(lengths.length * 0.9)] ?? 0) + 1
    const width = Math.min(MAX_WIDTH, Math.max(ROOM[name] ?? MIN_WIDTH, name.length + BUTTON, needed))
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`
  })
  return `<cols>${columns.join('')}</cols>`
}

/** A drop-down list in the column of reviews; an empty cell is valid. */
const choiceOf = (letter: string | undefined): string =>
  letter === undefined
    ? ''
    : '<dataValidations count="1"><dataValidation type="list" allowBlank="1" showInputMessage="1" ' +
      `showErrorMessage="1" errorTitle="Review" error="Choose ${RATINGS.join(', ')}, or clear the cell." ` +
      `sqref="${letter}2:${letter}${MAX_ROWS}"><formula1>"${RATINGS.join(',')}"</formula1>` +
      '</dataValidation></dataValidations>'

/** The part between `<c r="A1"` and the end of the cell; empty for an empty cell. */
type CellXml = string

function rowOf(line: number, letters: readonly string[], cell: (index: number) => CellXml): string {
  let xml = `<row r="${line}">`
  for (const [index, letter] of letters.entries()) {
    const inner = cell(index)
    if (inner !== '') xml += `<c r="${letter}${line}"${inner}</c>`
  }
  return `${xml}</row>`
}

function cellOf(cell: StyledCell | undefined): CellXml {
  const { value, decimals } = cell ?? {}
  if (typeof value === 'boolean') return ` t="b" s="${GENERAL_STYLE}"><v>${Number(value)}</v>`
  if (typeof value !== 'number') return textCell(value ?? '', TEXT_STYLE)
  if (!Number.isFinite(value)) return ''
  const style = decimals === undefined ? GENERAL_STYLE : DECIMAL_STYLE + Math.min(decimals, MAX_DECIMALS)
  return ` s="${style}"><v>${value}</v>`
}

const textCell = (text: string, style: number): CellXml =>
  text === ''
    ? ''
    : ` t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(cellText(text))}</t></is>`

/** As many UTF-16 units as a cell of Excel holds. */
const MAX_CELL = 32_767

/** A quote that reading would take for one that defuses a formula is doubled. */
function cellText(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n')
  const quoted = /^'+[=+\-@\t\r]/.test(lines) ? `'${lines}` : lines
  if (quoted.length <= MAX_CELL) return quoted
  return cut(quoted, MAX_CELL - CUT_MARK.length).slice(0, -1) + CUT_MARK
}

/** XML forbids two signs: Excel's escapes replace them, and a text that looks like one is escaped. */
export const escapeXml = (text: string): string =>
  pictureControls(text.toWellFormed())
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[\ufffe\uffff]/g, (sign) => (sign === '\ufffe' ? '_xFFFE_' : '_xFFFF_'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** The built-in number format of texts: what is typed into such a cell stays a text, too. */
const AS_TEXT = 49
const HEADER_STYLE = 1
const TEXT_STYLE = 2
const GENERAL_STYLE = 3
const DECIMAL_STYLE = 4
const MAX_DECIMALS = 4

/** Cell formats by index: none, header, text, general, then numbers with 0 to 4 decimals. */
export const STYLES = (() => {
  const decimals = Array.from({ length: MAX_DECIMALS + 1 }, (_, count) => count)
  const codes = decimals.map(
    (count) => `<numFmt numFmtId="${200 + count}" formatCode="${(0).toFixed(count)}"/>`,
  )
  const xf = (format: number, font: number, fill: number, more = '', alignment = 'vertical="top"') =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" ` +
    `applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1"${more}>` +
    `<alignment ${alignment}/></xf>`
  const cells = [
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    xf(AS_TEXT, 1, 2),
    xf(AS_TEXT, 0, 0, ' quotePrefix="1"', 'vertical="top" wrapText="1"'),
    xf(0, 0, 0),
    ...decimals.map((count) => xf(200 + count, 0, 0)),
  ]
  return [
    `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${codes.length}">${codes.join('')}</numFmts>`,
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>',
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
    '<fills count="3"><fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE7ECF2"/></patternFill></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('')
})()
