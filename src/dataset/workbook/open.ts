// Opens a workbook: its sheets, the texts that they share, and how numbers are displayed.
import { posix } from 'node:path'
import { type Archive, damaged, NO_WORKBOOK, openArchive, WorkbookError } from './archive.ts'
import { readDisplay } from './displayed.ts'
import { type CellTexts, type Merge, readMerges, readSheetRows, type SheetRow } from './sheet.ts'
import { attributeOf, decodeSigns, readPart } from './xml.ts'

export interface WorkbookSheet {
  readonly name: string
  readonly isHidden: boolean
  readonly rows: () => AsyncGenerator<SheetRow>
}

/** Opens the sheets of a workbook, without charts and dialogs. Throws WorkbookError. */
export async function openWorkbook(content: Buffer): Promise<readonly WorkbookSheet[]> {
  const archive = await openArchive(content)
  const book = (await readRelations(archive, '')).find(({ type }) => type === 'officeDocument')
  if (book === undefined || !archive.has(book.part) || !/\.xml$/i.test(book.part))
    throw new WorkbookError(NO_WORKBOOK)
  const parts = await readRelations(archive, book.part)
  const partOf = (wanted: string): AsyncGenerator<Buffer> | undefined => {
    const part = parts.find(({ type }) => type === wanted)?.part
    return part === undefined || !archive.has(part) ? undefined : archive.read(part)
  }
  const { listed, uses1904 } = await readBook(archive.read(book.part))
  const texts: CellTexts = {
    strings: await readStrings(partOf('sharedStrings')),
    display: await readDisplay(partOf('styles'), uses1904),
  }
  return listed.flatMap(({ id, name, isHidden }): WorkbookSheet[] => {
    const sheet = parts.find((part) => part.id === id)
    if (sheet?.type !== 'worksheet') return []
    const read = () => archive.read(sheet.part)
    let merges: readonly Merge[] | undefined
    const rows = async function* () {
      merges ??= await readMerges(read())
      yield* readSheetRows(read(), texts, merges)
    }
    return [{ name, isHidden, rows }]
  })
}

async function readRelations(archive: Archive, part: string) {
  const folder = posix.dirname(part)
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  if (!archive.has(name)) {
    if (part === '') throw new WorkbookError(NO_WORKBOOK)
    throw damaged(`the part ${name} is missing`)
  }
  const relations: { id: string; type: string; part: string }[] = []
  await readPart(archive.read(name), {
    open: (element, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (element !== 'Relationship') return
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      relations.push({ id, type: posix.basename(type), part: path })
    },
  })
  return relations
}

async function readBook(chunks: AsyncIterable<Buffer>) {
  const listed: { id: string; name: string; isHidden: boolean }[] = []
  let uses1904 = false
  await readPart(chunks, {
    open: (element, attributes) => {
      if (element === 'workbookPr') uses1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
      if (element !== 'sheet') return
      const { name = '', state = 'visible' } = attributes
      listed.push({ id: attributeOf(attributes, 'id') ?? '', name, isHidden: state !== 'visible' })
    },
  })
  return { listed, uses1904 }
}

/** Cells refer to texts by index; a text may come in pieces with fonts of their own. */
async function readStrings(chunks: AsyncIterable<Buffer> | undefined): Promise<string[]> {
  const strings: string[] = []
  if (chunks === undefined) return strings
  let text = ''
  // Phonetic hints above Japanese texts are not part of them.
  let isPhonetic = false
  await readPart(chunks, {
    open: (name) => {
      if (name === 'si') text = ''
      if (name === 'rPh') isPhonetic = true
    },
    close: (name, piece) => {
      if (name === 't' && !isPhonetic) text += piece
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') strings.push(decodeSigns(text))
    },
  })
  return strings
}
