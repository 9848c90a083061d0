// Reads a journal from end to end, or a record by its place.
import { closeSync, openSync, promises, readSync } from 'node:fs'
import { openWindows } from './windows.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { decodeAgain, decodeLine, mayBeIntent, TORN_MARK, type Line } from './line.ts'

/** Where a record's line lies in the file, in bytes. */
export interface Place {
  readonly offset: number
  readonly length: number
}

export type Entry =
  | { readonly kind: 'record'; readonly record: JournalRecord; readonly place: Place }
  /** A line that cannot be read: passed over, and told. `mayBeIntent`: an attempt may have been sent after it. */
  | {
      readonly kind: 'garbled'
      readonly line: number
      readonly reason: string
      readonly mayBeIntent: boolean
    }
  /** The process died while it wrote the last line of its sitting: expected. */
  | { readonly kind: 'torn'; readonly line: number }

const NEWLINE = 0x0a
/** Bytes that are read at once. */
const CHUNK = 2 ** 18

/** The journal's entries in order, one line in memory at a time. */
export async function* readJournal(path: string): AsyncGenerator<Entry> {
  const reader = createEntryReader()
  const file = await promises.open(path)
  try {
    // Always the same bytes: a stream leaves as many behind as the journal has, until they are collected.
    const room = Buffer.allocUnsafeSlow(CHUNK)
    let offset = 0
    let pending: Buffer[] = []
    for (;;) {
      const { bytesRead } = await file.read(room, 0, CHUNK)
      if (bytesRead === 0) break
      const chunk = room.subarray(0, bytesRead)
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        const rest = chunk.subarray(start, end)
        const bytes = pending.length === 0 ? rest : Buffer.concat([...pending, rest])
        pending = []
        yield* reader.next(bytes.toString('utf8'), { offset, length: bytes.length })
        offset += bytes.length + 1
        start = end + 1
      }
      if (start < chunk.length) pending.push(Buffer.from(chunk.subarray(start)))
    }
    yield* reader.end(pending.length > 0)
  } finally {
    await file.close()
  }
}

interface EntryReader {
  next(text: string, place: Place): Entry[]
  end(hasRest: boolean): Entry[]
}

function createEntryReader(): EntryReader {
  let line = 0
  /** Once one line has its sum, every line must: one without it was damaged. */
  let expectsSums = false
  const check = (decoded: Line): Line =>
    decoded.kind === 'record' && expectsSums && !decoded.summed
      ? { kind: 'garbled', reason: 'its check sum is missing' }
      : decoded

  return {
    next: (text, place) => {
      line += 1
      if (text.endsWith(TORN_MARK)) return [{ kind: 'torn', line }]
      const decoded = check(decodeLine(text))
      if (decoded.kind === 'garbled') return [{ ...decoded, line, mayBeIntent: mayBeIntent(text) }]
      expectsSums ||= decoded.summed
      return [{ kind: 'record', record: decoded.record, place }]
    },
    // An attempt is sent only once its intent is written to its end.
    end: (hasRest) => (hasRest ? [{ kind: 'torn', line: line + 1 }] : []),
  }
}

export interface RecordPicker {
  /** The record at a place that `readJournal` gave. */
  readonly pick: (place: Place) => JournalRecord
  readonly close: () => void
}

/** The journal may not be there yet; it is open only while a piece of it is read. */
export function openPicker(path: string): RecordPicker {
  const windows = openWindows((bytes, offset) => {
    const file = openSync(path, 'r')
    try {
      return readSync(file, bytes, 0, bytes.length, offset)
    } finally {
      closeSync(file)
    }
  })
  return {
    pick: ({ offset, length }) => {
      const decoded = decodeAgain(windows.text(offset, length))
      if (decoded.kind === 'record') return decoded.record
      throw new Error(`the journal changed while it was read: byte ${offset} is ${decoded.reason}`)
    },
    close: windows.close,
  }
}
