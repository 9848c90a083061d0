// A workbook (.xlsx) in pieces: its rows are read as they are written. Texts stay texts.
import { strToU8, Zip, ZipDeflate } from 'fflate'
import { RATINGS } from '../domain/review.ts'
import { CUT_MARK, cut, ownValue, pictureControls } from '../domain/text.ts'
import type { Cell, SheetTable } from './spreadsheet.ts'

/** Its rows are read once. */
export interface Sheet {
  /** It has at most 31 characters, none of `[]:*?/\`. */
  readonly name: string
  readonly header: readonly string[]
  readonly rows: () => Generator<readonly Cell[]>
}

export const sheetOf = <Row>(name: string, { columns, rows }: SheetTable<Row>): Sheet => ({
  name: name.replaceAll(/[[\]:*?/\\]+/g, '-').slice(0, 31),
  header: columns.map(([header]) => header),
  rows: function* () {
    for (const row of rows)
      yield columns.map(([, valueOf, decimals]) => {
        const cell = valueOf(row)
        return typeof cell === 'number' && decimals !== undefined ? Number(cell.toFixed(decimals)) : cell
      })
  },
})

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Larger ones take longer, and save little. */
const COMPRESSION = 3

/** Yields bytes: the same tables give the same. */
export function* renderWorkbook(sheets: readonly Sheet[]): Generator<Uint8Array> {
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error
    pieces.push(piece)
  })
  const add = function* (name: string, texts: Iterable<string>): Generator<Uint8Array> {
    const part = new ZipDeflate(name, { level: COMPRESSION })
    // Not the time of writing.
    part.mtime = new Date(1980, 0, 1)
    zip.add(part)
    part.push(strToU8(XML))
    for (const text of texts) {
      part.push(strToU8(text))
      yield* pieces.splice(0)
    }
    part.push(new Uint8Array(), true)
    yield* pieces.splice(0)
  }
  const parts = sheets.map((_, index) => `worksheets/sheet${index + 1}.xml`)
  const listed = sheets.map(
    ({ name }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  const list = `<sheets>${listed.join('')}</sheets>`
  const book = `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${list}</workbook>`
  yield* add('[Content_Types].xml', [contentTypes(parts)])
  yield* add('_rels/.rels', [relations([['officeDocument', 'xl/workbook.xml']])])
  yield* add('xl/workbook.xml', [book])
  const ofBook = [...parts.map((part) => ['worksheet', part] as const), ['styles', 'styles.xml'] as const]
  yield* add('xl/_rels/workbook.xml.rels', [relations(ofBook)])
  yield* add('xl/styles.xml', [STYLES])
  for (const [index, sheet] of sheets.entries()) yield* add(`xl/${parts[index]}`, renderSheet(sheet))
  zip.end()
  yield* pieces.splice(0)
}

const contentTypes = (sheets: readonly string[]): string =>
  `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  [['workbook.xml', 'sheet.main'], ['styles.xml', 'styles'], ...sheets.map((part) => [part, 'worksheet'])]
    .map(([part, type]) => `<Override PartName="/xl/${part}" ContentType="${OFFICE}.${type}+xml"/>`)
    .join('') +
  '</Types>'

const relations = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const MAX_ROWS = 1_048_576
/** Each piece is one write to the disk. */
const ROWS_A_PIECE = 50
/** The widths of columns are made for so many rows. */
const SAMPLE = 200

function* renderSheet({ header, rows }: Sheet): Generator<string> {
  const letters = header.map((_, index) => lettersOf(index))
  const rowOf = (line: number, cells: readonly CellXml[]): string => {
    const filled = cells.map((cell, index) =>
      cell === '' ? '' : `<c r="${letters[index]}${line}"${cell}</c>`,
    )
    return `<row r="${line}">${filled.join('')}</row>`
  }
  const reading = rows()
  const sample = Array.from({ length: SAMPLE }, () => reading.next()).flatMap((next) =>
    next.done === true ? [] : [next.value],
  )
  yield (
    `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columnsOf(header, sample)}</cols><sheetData>`
  )
  const names = header.map((name) => textCell(name, HEADER_STYLE))
  let [line, piece] = [1, rowOf(1, names)]
  for (const cells of oneAfterOther(sample, reading)) {
    line += 1
    piece += rowOf(line, cells.map(cellOf))
    if (line % ROWS_A_PIECE > 0) continue
    yield piece
    piece = ''
  }
  const filter = `<autoFilter ref="A1:${letters.at(-1) ?? 'A'}${line}"/>`
  yield `${piece}</sheetData>${filter}${choiceOf(letters[header.indexOf('review')])}</worksheet>`
}

function* oneAfterOther<T>(...all: readonly Iterable<T>[]): Generator<T> {
  for (const some of all) yield* some
}

/** Writes 26 as `AA`. */
const lettersOf = (index: number): string =>
  (index < 26 ? '' : lettersOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

const WIDTHS = { min: 8, max: 70 }
/** People fill in these columns. */
const ROOM: Readonly<Record<string, number>> = { review: 14, note: 40 }
/** The button of the filter covers the end of a header. */
const BUTTON = 4

function columnsOf(header: readonly string[], sample: readonly (readonly Cell[])[]): string {
  const columns = header.map((name, index) => {
    const lines = sample.flatMap((cells) => String(cells[index] ?? '').split('\n', 20))
    const needed = Math.max(
      ownValue(ROOM, name) ?? WIDTHS.min,
      name.length + BUTTON,
      ...lines.map(({ length }) => length + 1),
    )
    const [number, width] = [index + 1, Math.min(WIDTHS.max, needed)]
    return `<col min="${number}" max="${number}" width="${width}" customWidth="1"/>`
  })
  return columns.join('')
}

/** An empty cell is valid beside the choices. */
const choiceOf = (letter: string | undefined): string =>
  letter === undefined
    ? ''
    : '<dataValidations count="1"><dataValidation type="list" allowBlank="1" showInputMessage="1" ' +
      `showErrorMessage="1" errorTitle="Review" error="Choose ${RATINGS.join(', ')}, or clear the cell." ` +
      `sqref="${letter}2:${letter}${MAX_ROWS}"><formula1>"${RATINGS.join(',')}"</formula1>` +
      '</dataValidation></dataValidations>'

/** It stands between `<c r="A1"` and the end of the cell; empty for an empty cell. */
type CellXml = string

function cellOf(cell: Cell): CellXml {
  if (typeof cell === 'boolean') return ` t="b" s="${GENERAL_STYLE}"><v>${Number(cell)}</v>`
  if (typeof cell !== 'number') return textCell(cell ?? '', TEXT_STYLE)
  return Number.isFinite(cell) ? ` s="${GENERAL_STYLE}"><v>${cell}</v>` : ''
}

const textCell = (text: string, style: number): CellXml =>
  text === ''
    ? ''
    : ` t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(cellText(text))}</t></is>`

/** A cell of Excel holds so many UTF-16 units. */
const MAX_CELL = 32_767

function cellText(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n')
  const quoted = /^'+[=+\-@\t\r]/.test(lines) ? `'${lines}` : lines
  if (quoted.length <= MAX_CELL) return quoted
  return cut(quoted, MAX_CELL - CUT_MARK.length).slice(0, -1) + CUT_MARK
}

/** XML forbids two signs: Excel's escapes replace them, and a text that looks like one is escaped. */
const escapeXml = (text: string): string =>
  pictureControls(text.toWellFormed())
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[\ufffe\uffff]/g, (sign) => (sign === '\ufffe' ? '_xFFFE_' : '_xFFFF_'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Format 49 is the built-in one of texts: what is typed into such a cell stays a text. */
const [HEADER_STYLE, TEXT_STYLE, GENERAL_STYLE] = [1, 2, 3]
const APPLIED = 'borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1"'
const STYLES =
  `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE7ECF2"/></patternFill></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  `<xf numFmtId="49" fontId="1" fillId="2" ${APPLIED}><alignment vertical="top"/></xf>` +
  `<xf numFmtId="49" fontId="0" fillId="0" ${APPLIED}><alignment vertical="top" wrapText="1"/></xf>` +
  `<xf numFmtId="0" fontId="0" fillId="0" ${APPLIED}><alignment vertical="top"/></xf></cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
