// Reads a sheet of an .xlsx workbook as a table.
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { digits } from '../../domain/format.ts'
import { excerpt, excerptList, type FileMessages } from '../messages.ts'
import {
  choosePart,
  EMPTY_FILE,
  hasContent,
  type IsHeader,
  type SourceRecord,
  type TableSource,
} from '../source.ts'
import { describeFileError } from '../text.ts'
import type { WorkbookAddress } from './address.ts'
import { OLD_FORMAT, WorkbookError } from './archive.ts'
import { openWorkbook, type WorkbookSheet } from './open.ts'

export async function openSheet(
  { file, sheet: wanted, isOld }: WorkbookAddress,
  messages: FileMessages,
  isHeader: IsHeader,
): Promise<TableSource | undefined> {
  try {
    const content = await readContent(file, isOld)
    const sheets = (await openWorkbook(content)).map((sheet) => ({
      ...sheet,
      records: () => readRecords(sheet),
    }))
    const wantedSheets = sheets.filter(({ name }) => name.toLowerCase() === wanted?.toLowerCase())
    if (wanted !== undefined && wantedSheets.length === 0) {
      const found = excerptList(sheets.map(({ name }) => name))
      throw new WorkbookError(`no sheet is called ${excerpt(wanted)} (found: ${found})`)
    }
    const parts = wanted === undefined ? sheets : wantedSheets.map((sheet) => ({ ...sheet, isHidden: false }))
    const chosen = await choosePart(parts, isHeader)
    if (chosen === undefined) throw new WorkbookError(EMPTY_FILE)
    const { part, head, others } = chosen
    if (wanted === undefined) messages.nameSheet(part.name)
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
    return {
      file: { digest, encoding: 'xlsx', delimiter: '', sheet: part.name },
      head,
      unread: describeUnread(
        basename(file),
        others.map(({ name }) => name),
      ),
      further: others.flatMap(({ name, isHidden }) => (isHidden ? [] : [`${file}#${name}`])),
      namelessHint: 'clear the cells without a header, or name the column',
      records: () => untilDamaged(part.records()),
    }
  } catch (error) {
    messages.fail({ message: describeError(error) })
    return undefined
  }
}

function describeUnread(file: string, [other, ...more]: readonly string[]): string | undefined {
  if (other === undefined) return undefined
  const named = /^\w+$/.test(other) ? other : `'${other.replaceAll("'", "''")}'`
  const names = excerptList([other, ...more])
  return `sheets with such a header that are not read: ${names}; name one, as in ${file}#${named}`
}

/** Reads the whole file: an open one would have to be closed by everyone who reads a table. */
async function readContent(file: string, isOld: boolean): Promise<Buffer> {
  const stats = await stat(file)
  if (!stats.isFile()) throw new WorkbookError('this is not a file; name the workbook itself')
  if (isOld) throw new WorkbookError(OLD_FORMAT)
  if (stats.size > MAX_FILE_MB * 1e6)
    throw new WorkbookError(`the workbook is larger than ${MAX_FILE_MB} MB; split it`)
  return readFile(file)
}

const MAX_FILE_MB = 400

/** Throws any error that is not about the file. */
function describeError(error: unknown): string {
  const message = error instanceof WorkbookError ? error.message : describeFileError(error)
  if (message === undefined) throw error
  return message
}

async function* readRecords(sheet: WorkbookSheet): AsyncGenerator<SourceRecord> {
  const unvalued: { readonly line: number; readonly cell: string }[] = []
  for await (const { cells, line, fault, withoutValue } of sheet.rows()) {
    if (!hasContent(cells) && fault === undefined && withoutValue.length === 0) continue
    unvalued.push(...withoutValue.map((cell) => ({ line, cell })))
    if (fault !== undefined) yield { kind: 'faulty', cells, line, message: fault }
    else if (withoutValue.length > 0) yield { kind: 'faulty', cells, line }
    else yield { kind: 'row', cells, line }
  }
  const [first] = unvalued
  if (first !== undefined)
    yield {
      kind: 'broken',
      line: first.line,
      message:
        `cells with a formula and without a value: ${digits(unvalued.length)}, the first is ${first.cell}; ` +
        'open the file in Excel or LibreOffice, and save it again',
    }
}

async function* untilDamaged(records: AsyncIterable<SourceRecord>): AsyncGenerator<SourceRecord> {
  try {
    yield* records
  } catch (error) {
    yield { kind: 'broken', message: describeError(error) }
  }
}
