// Reads the journals of a run, sequentially or by the position of a record.
import { closeSync, existsSync, openSync, promises, readdirSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { JournalRecord, Position } from '../domain/journal.ts'
import { decodeAgain, decodeLine, mayBeIntent } from './line.ts'

export type Entry =
  | { readonly kind: 'record'; readonly record: JournalRecord; readonly position: Position }
  /** Is an unreadable line, which is reported. `mayBeIntent`: an attempt may have been sent after it. */
  | {
      readonly kind: 'garbled'
      readonly file: string
      readonly line: number
      readonly text: string
      readonly reason: string
      readonly mayBeIntent: boolean
    }
  /** Is an incomplete last line of a session whose process was killed; not an error. */
  | { readonly kind: 'torn'; readonly file: string; readonly line: number }

const NEWLINE = 0x0a
const CHUNK = 2 ** 18

/** Lists the existing journals of a run, in order. `path` is the first; each resume adds one. */
export function journalsOf(path: string): string[] {
  const journals: string[] = []
  for (let next = path; existsSync(next); next = nthJournal(path, journals.length + 1)) journals.push(next)
  return journals
}

/** Finds a journal that is gone although a later one is there: its answers are lost. */
export function missingJournal(path: string): string | undefined {
  const found = journalsOf(path).map((journal) => basename(journal))
  const isLater = (name: string): boolean =>
    name.replace(/\.\d+(?=\.ndjson$)/, '') === basename(path) && !found.includes(name)
  return readdirSync(dirname(path)).some(isLater) ? nthJournal(path, found.length + 1) : undefined
}

/** Names the journal of the next session: an existing journal is never changed. */
export const nextJournal = (path: string): string => nthJournal(path, journalsOf(path).length + 1)

/** Names journal `nth`, from 1: first `path`, as `journal.ndjson`, then `journal.2.ndjson`. */
export const nthJournal = (path: string, nth: number): string =>
  nth === 1 ? path : path.replace(/(?=\.ndjson$)/, `.${nth}`)

/** Streams the entries of all journals, in order. Throws if the first journal does not exist. */
export async function* readJournal(path: string): AsyncGenerator<Entry> {
  for (const [number, journal] of [path, ...journalsOf(path).slice(1)].entries())
    yield* readOne(journal, number)
}

async function* readOne(path: string, journal: number): AsyncGenerator<Entry> {
  const file = basename(path)
  let [line, isTorn] = [0, false]
  for await (const chunk of readLines(path)) {
    for (const { text, offset, length } of chunk.lines) {
      line += 1
      const decoded = decodeLine(text)
      yield decoded.kind === 'record'
        ? { ...decoded, position: { journal, offset, length } }
        : { ...decoded, file, line, text, mayBeIntent: mayBeIntent(text) }
    }
    isTorn = chunk.isTorn
  }
  // A torn line is not a sent attempt: an intent is written completely before its attempt is sent.
  if (isTorn) yield { kind: 'torn', file, line: line + 1 }
}

interface Chunk {
  readonly lines: readonly { readonly text: string; readonly offset: number; readonly length: number }[]
  readonly isTorn: boolean
}

/** Reads the whole lines of a file from byte `from` on, chunk by chunk. */
async function* readLines(path: string, from = 0): AsyncGenerator<Chunk> {
  const file = await promises.open(path)
  try {
    // Reuses one buffer: a stream would allocate as many bytes as the journal has.
    const buffer = Buffer.allocUnsafeSlow(CHUNK)
    let [position, offset] = [from, from]
    let pending: Buffer[] = []
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, position)
      if (bytesRead === 0) return
      position += bytesRead
      const chunk = buffer.subarray(0, bytesRead)
      const lines = []
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        const rest = chunk.subarray(start, end)
        const bytes = pending.length === 0 ? rest : Buffer.concat([...pending, rest])
        pending = []
        lines.push({ text: bytes.toString('utf8'), offset, length: bytes.length })
        offset += bytes.length + 1
        start = end + 1
      }
      if (start < chunk.length) pending.push(Buffer.from(chunk.subarray(start)))
      yield { lines, isTorn: pending.length > 0 }
    }
  } finally {
    await file.close()
  }
}

export interface RecordPicker {
  readonly pick: (position: Position) => JournalRecord
  readonly close: () => void
}

/** Opens each journal when it is first read, since it may not exist yet. */
export function openPicker(path: string): RecordPicker {
  const opened = new Map<number, number>()
  const fileNumber = (journal: number): number => {
    const file = opened.get(journal) ?? openSync(nthJournal(path, journal + 1), 'r')
    opened.set(journal, file)
    return file
  }
  return {
    pick: ({ journal, offset, length }) => {
      const bytes = Buffer.allocUnsafe(length)
      const decoded = decodeAgain(
        bytes.toString('utf8', 0, readSync(fileNumber(journal), bytes, 0, length, offset)),
      )
      if (decoded.kind === 'record') return decoded.record
      throw new Error(`the journal changed while it was read: at byte ${offset}, ${decoded.reason}`)
    },
    close: () => {
      for (const file of opened.values()) closeSync(file)
      opened.clear()
    },
  }
}

/**
 * Passes, each call, the whole lines that are new since the call before, in order; skips what cannot be read.
 * One call at a time. Each resume adds a journal to the first, `path`.
 */
export function followJournal(path: string): (take: (record: JournalRecord) => void) => Promise<void> {
  let [nth, offset] = [1, 0]
  return async (take) => {
    while (existsSync(nthJournal(path, nth))) {
      // Looked for before reading: the last lines of a journal precede the next one.
      const hasNext = existsSync(nthJournal(path, nth + 1))
      for await (const { lines } of readLines(nthJournal(path, nth), offset))
        for (const line of lines) {
          const decoded = decodeLine(line.text)
          if (decoded.kind === 'record') take(decoded.record)
          offset = line.offset + line.length + 1
        }
      if (!hasNext) return
      ;[nth, offset] = [nth + 1, 0]
    }
  }
}
