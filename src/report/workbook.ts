// A workbook in pieces (.xlsx): each sheet is a table whose rows are read as they are written. Texts stay
// texts, whatever they look like.
import { strToU8, Zip, ZipDeflate } from 'fflate'
import { escapeXml, MAIN, renderSheet, type Sheet, STYLES, XML } from './sheet.ts'

/** Larger ones take longer, and save little. */
const COMPRESSION = 3

/** Yields the bytes of the file. The same tables give the same bytes. */
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
    for (const text of texts) {
      part.push(strToU8(text))
      yield* pieces.splice(0)
    }
    part.push(new Uint8Array(), true)
    yield* pieces.splice(0)
  }
  yield* add('[Content_Types].xml', [contentTypes(sheets)])
  yield* add('_rels/.rels', [relations([['officeDocument', 'xl/workbook.xml']])])
  yield* add('xl/styles.xml', [STYLES])
  for (const [index, sheet] of sheets.entries())
    yield* add(`xl/worksheets/sheet${index + 1}.xml`, renderSheet(sheet, index === 0))
  const targets = sheets.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const)
  yield* add('xl/_rels/workbook.xml.rels', [relations([...targets, ['styles', 'styles.xml']])])
  yield* add('xl/workbook.xml', [bookOf(sheets)])
  zip.end()
  yield* pieces.splice(0)
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

const OFFICE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const RELATIONS_TYPE = 'application/vnd.openxmlformats-package.relationships+xml'

function contentTypes(sheets: readonly Sheet[]): string {
  const parts = [
    ['workbook', 'sheet.main'],
    ['styles', 'styles'],
    ...sheets.map((_, index) => [`worksheets/sheet${index + 1}`, 'worksheet']),
  ]
  const types = parts.map(
    ([part, type]) => `<Override PartName="/xl/${part}.xml" ContentType="${OFFICE}.${type}+xml"/>`,
  )
  return (
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    `<Default Extension="rels" ContentType="${RELATIONS_TYPE}"/>` +
    `<Default Extension="xml" ContentType="application/xml"/>${types.join('')}</Types>`
  )
}

const relations = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

function bookOf(sheets: readonly Sheet[]): string {
  const listed = sheets.map(
    ({ name }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  const list = `<sheets>${listed.join('')}</sheets>`
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${list}</workbook>`
}
