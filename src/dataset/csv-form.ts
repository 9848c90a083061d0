// How the file of a question set is written, so that a saved set stays as its spreadsheet made it.
import { readFileSync } from 'node:fs'
import { guard } from '../domain/storage-error.ts'
import { collectMessages } from './messages.ts'
import { openSet } from './rows.ts'
import { createRenamer } from './columns.ts'

export interface CsvForm {
  readonly encoding: string
  /** A byte order mark and Excel's line `sep=;` stand before the header. */
  readonly start: string
  readonly delimiter: string
  readonly lineEnd: string
}

const PLAIN: CsvForm = { encoding: 'utf-8', start: '', delimiter: ',', lineEnd: '\n' }

const START = /^\ufeff?(?:"?sep=([^\r\n"])"?[,;\t]*\r?\n)?/i

/** A file that cannot be read as a table will be written in the plain form. */
export async function readForm(path: string): Promise<CsvForm> {
  const table = await openSet(path, collectMessages(path), { renamer: createRenamer([]) })
  if (table === undefined) return PLAIN
  const { encoding, delimiter } = table.file
  const { default: iconv } = await import('iconv-lite')
  const text = iconv.decode(
    guard(() => readFileSync(path)),
    encoding,
    { stripBOM: false },
  )
  const [start = '', separator = PLAIN.delimiter] = START.exec(text) ?? []
  const [lineEnd = PLAIN.lineEnd] = /\r?\n/.exec(text) ?? []
  // A file of one column has no separator yet.
  return { encoding, start, delimiter: delimiter === '' ? separator : delimiter, lineEnd }
}

/** Encodes a table as the file was; as UTF-8 with a mark where its encoding lacks a letter. */
export async function encodeCsv(table: string, { encoding, start }: CsvForm): Promise<Uint8Array> {
  const text = start + table
  const { default: iconv } = await import('iconv-lite')
  const bytes = iconv.encode(text, encoding)
  return iconv.decode(bytes, encoding, { stripBOM: false }) === text ? bytes : Buffer.from(`\ufeff${text}`)
}
