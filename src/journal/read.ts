// Reads a journal from end to end, or a record by its place.
import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import type { JournalRecord } from '../domain/journal.ts'
import { decodeLine } from './line.ts'

/** Where a record's line lies in the file, in bytes. */
export interface Place {
  readonly offset: number
  readonly length: number
}

export type Entry =
  | { readonly kind: 'record'; readonly record: JournalRecord; readonly place: Place }
  /** A line that cannot be read: passed over, and told. */
  | { readonly kind: 'garbled'; readonly line: number; readonly reason: string }
  /** The process died while it wrote the last line: expected. */
  | { readonly kind: 'torn'; readonly line: number }

const NEWLINE = 0x0a

/** The journal's entries in order, one line in memory at a time. */
export async function* readJournal(path: string): AsyncGenerator<Entry> {
  let line = 0
  let offset = 0
  let pending: Buffer[] = []
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 18 }) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const bytes = Buffer.concat([...pending, chunk.subarray(start, end)])
      pending = []
      line += 1
      const decoded = decodeLine(bytes.toString('utf8'))
      if (decoded.kind === 'record') yield { ...decoded, place: { offset, length: bytes.length } }
      else yield { kind: 'garbled', line, reason: decoded.reason }
      offset += bytes.length + 1
      start = end + 1
    }
    if (start < chunk.length) pending.push(chunk.subarray(start))
  }
  if (pending.length > 0) yield { kind: 'torn', line: line + 1 }
}

export interface RecordPicker {
  /** The record at a place that `readJournal` gave. */
  readonly pick: (place: Place) => JournalRecord
  readonly close: () => void
}

export function openPicker(path: string): RecordPicker {
  const file = openSync(path, 'r')
  return {
    pick: ({ offset, length }) => {
      const bytes = Buffer.alloc(length)
      readSync(file, bytes, 0, length, offset)
      const decoded = decodeLine(bytes.toString('utf8'))
      if (decoded.kind === 'record') return decoded.record
      throw new Error(`the journal changed while it was read: byte ${offset} is ${decoded.reason}`)
    },
    close: () => closeSync(file),
  }
}
