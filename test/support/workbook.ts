// Makes small workbooks whose XML a test writes itself, and damages them.
import { strToU8, zipSync } from 'fflate'

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationsOf = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships>${targets.map(([type, target], index) => `<Relationship Id="r${index}" Type="${RELATIONS}/${type}" Target="${target}"/>`).join('')}</Relationships>`

/** `sheets`: the rows of each as XML, by name. `parts`: replaces or adds parts. */
export function workbookOf(
  sheets: Readonly<Record<string, string>>,
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  const names = Object.keys(sheets)
  const all = {
    '_rels/.rels': relationsOf([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${names.map((name, index) => `<sheet name="${name}" r:id="r${index}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsOf(
      names.map((_, index) => ['worksheet', `worksheets/sheet${index}.xml`]),
    ),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  }
  return zipSync(Object.fromEntries(Object.entries(all).map(([name, text]) => [name, strToU8(text)])))
}

/** A row of texts, as XML. */
export const textRow = (...cells: readonly string[]): string =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`

/** The workbook with another unpacked size of this part in the directory of its archive. */
export function declareSize(workbook: Uint8Array, part: string, size: number): Uint8Array {
  const bytes = Buffer.from(workbook)
  // The directory comes last; a file's name stands 46 bytes behind the start of its entry, the size 24.
  bytes.writeUInt32LE(size, bytes.lastIndexOf(part) - 46 + 24)
  return bytes
}
