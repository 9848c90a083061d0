// Reads a table from a sheet of an .xlsx workbook.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { digits } from '../../domain/format.ts'
import { excerpt, excerptList, type FileMessages } from '../messages.ts'
import {
  createRecordTaker,
  EMPTY_FILE,
  findHead,
  type Head,
  hasContent,
  HEAD_RECORDS,
  type IsHeader,
  type OpenTable,
  type TableFile,
  type TakeNameless,
} from '../records.ts'
import { describeFileError } from '../text.ts'
import type { WorkbookAddress } from './address.ts'
import { OLD_FORMAT, WorkbookError } from './archive.ts'
import { openWorkbook, type WorkbookSheet, type Workbook } from './open.ts'

export async function readWorkbook(
  { file, sheet, isOld }: WorkbookAddress,
  messages: FileMessages,
  open: OpenTable,
  isHeader: IsHeader,
  takeNameless?: TakeNameless,
): Promise<TableFile | undefined> {
  let workbook: Workbook | undefined
  try {
    if (!(await stat(file)).isFile()) throw new WorkbookError('this is not a file; name the workbook itself')
    if (isOld) throw new WorkbookError(OLD_FORMAT)
    workbook = await openWorkbook(file)
    const chosen = await chooseSheet(workbook, sheet, isHeader)
    if (sheet === undefined) messages.nameSheet(chosen.sheet.name)
    const read = await readSheet(workbook, chosen, open, messages, takeNameless)
    if (read === undefined) return undefined
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
    return { digest: `sha256:${hash.digest('hex')}`, ...read }
  } catch (error) {
    const message = error instanceof WorkbookError ? error.message : describeFileError(error)
    if (message === undefined) throw error
    messages.fail({ message })
    return undefined
  } finally {
    workbook?.close()
  }
}

/** Names of the visible sheets with a header; none if the workbook cannot be read. */
export async function listSheets(file: string, isHeader: IsHeader): Promise<string[]> {
  let workbook: Workbook | undefined
  try {
    workbook = await openWorkbook(file)
    const names: string[] = []
    for (const sheet of workbook.sheets.filter(({ isHidden }) => !isHidden))
      if (findHead(await headOf(workbook, sheet), isHeader).isFound) names.push(sheet.name)
    return names
  } catch (error) {
    if (error instanceof WorkbookError || describeFileError(error) !== undefined) return []
    throw error
  } finally {
    workbook?.close()
  }
}

interface Chosen {
  readonly sheet: WorkbookSheet
  readonly head: Head
}

/**
 * The sheet of this name, else the first visible one with a header, else the first with any content. Throws
 * WorkbookError.
 */
async function chooseSheet(
  workbook: Workbook,
  name: string | undefined,
  isHeader: IsHeader,
): Promise<Chosen> {
  const { sheets } = workbook
  const named = sheets.filter((sheet) => sheet.name.toLowerCase() === name?.toLowerCase())
  if (name !== undefined && named.length === 0)
    throw new WorkbookError(
      `no sheet is called ${excerpt(name)} (found: ${excerptList(sheets.map((sheet) => sheet.name))})`,
    )
  let first: Chosen | undefined
  for (const sheet of name === undefined ? sheets.filter(({ isHidden }) => !isHidden) : named) {
    const head = findHead(await headOf(workbook, sheet), isHeader)
    if (head.header.length === 0) continue
    if (head.isFound) return { sheet, head }
    first ??= { sheet, head }
  }
  if (first === undefined) throw new WorkbookError(EMPTY_FILE)
  return first
}

async function headOf(workbook: Workbook, sheet: WorkbookSheet): Promise<(readonly string[])[]> {
  const records: (readonly string[])[] = []
  for await (const { cells } of workbook.head(sheet)) {
    if (hasContent(cells)) records.push(cells)
    if (records.length === HEAD_RECORDS) break
  }
  return records
}

async function readSheet(
  workbook: Workbook,
  { sheet, head }: Chosen,
  open: OpenTable,
  messages: FileMessages,
  takeNameless: TakeNameless | undefined,
): Promise<Omit<TableFile, 'digest'> | undefined> {
  const namelessHint = 'clear the cells without a header, or name the column'
  const records = createRecordTaker(head, { namelessHint }, open, messages, takeNameless)
  const hidden: number[] = []
  const unvalued: { readonly line: number; readonly cell: string }[] = []
  for await (const { cells, line, isHidden, fault, withoutValue } of workbook.rows(sheet)) {
    if (!hasContent(cells) && fault === undefined && withoutValue.length === 0) continue
    if (isHidden) hidden.push(line)
    unvalued.push(...withoutValue.map((cell) => ({ line, cell })))
    records.take({ cells, line }, () => fault ?? (withoutValue.length > 0 ? null : undefined))
  }
  const [first] = unvalued
  if (first !== undefined)
    messages.fail({
      line: first.line,
      message:
        `cells with a formula and without a value: ${digits(unvalued.length)}, the first is ${first.cell}; ` +
        'open the file in Excel or LibreOffice, and save it again',
    })
  const [line] = hidden
  const note = `hidden rows that are read, too, from here on: ${digits(hidden.length)}`
  if (line !== undefined) messages.warn({ line, message: `${note}; delete what does not belong` })
  const ended = records.end()
  return ended && { encoding: 'xlsx', delimiter: '', sheet: sheet.name, ...ended }
}
