// Reads the journals of a run, sequentially or by the position of a record.
import { closeSync, existsSync, openSync, promises, readdirSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { JournalRecord, Position } from '../domain/journal.ts'
import { decodeAgain, decodeLine, mayBeIntent } from './line.ts'

export type Entry =
  | { readonly kind: 'record'; readonly record: JournalRecord; readonly position: Position }
  /**
   * An unreadable line, which is skipped and reported. `mayBeIntent`: an attempt may have been sent after it.
   */
  | {
      readonly kind: 'garbled'
      readonly file: string
      readonly line: number
      readonly reason: string
      readonly mayBeIntent: boolean
    }
  /** An incomplete last line of a session whose process was killed; not an error. */
  | { readonly kind: 'torn'; readonly file: string; readonly line: number }

const NEWLINE = 0x0a
const CHUNK = 2 ** 18

/** The existing journals of a run, in order. `path` is the first; each resume adds one. */
export function journalsOf(path: string): string[] {
  const journals: string[] = []
  for (let next = path; existsSync(next); next = nthJournal(path, journals.length + 1)) journals.push(next)
  return journals
}

/** A journal that is gone although a later one is there: its answers are lost. */
export function missingJournal(path: string): string | undefined {
  const found = journalsOf(path).map((one) => basename(one))
  const isLater = (name: string): boolean =>
    name.replace(/\.\d+(?=\.ndjson$)/, '') === basename(path) && !found.includes(name)
  return readdirSync(dirname(path)).some(isLater) ? nthJournal(path, found.length + 1) : undefined
}

/** The journal of the next session: an existing journal is never changed. */
export const nextJournal = (path: string): string => nthJournal(path, journalsOf(path).length + 1)

/** `nth`: from 1. The first is `path`, as `journal.ndjson`; the second is `journal.2.ndjson`. */
export const nthJournal = (path: string, nth: number): string =>
  nth === 1 ? path : path.replace(/(?=\.ndjson$)/, `.${nth}`)

/** Streams the entries of all journals, in order. Throws if the first journal does not exist. */
export async function* readJournal(path: string): AsyncGenerator<Entry> {
  const renumber = createRenumbering()
  for (const [number, one] of [path, ...journalsOf(path).slice(1)].entries())
    for await (const entry of readOne(one, number)) {
      if (entry.kind === 'garbled' && entry.mayBeIntent) renumber.reserve()
      yield entry.kind === 'record' ? { ...entry, record: renumber.number(entry.record) } : entry
    }
}

async function* readOne(path: string, journal: number): AsyncGenerator<Entry> {
  const name = basename(path)
  const file = await promises.open(path)
  try {
    // Reuses one buffer: a stream would allocate as many bytes as the journal has.
    const buffer = Buffer.allocUnsafeSlow(CHUNK)
    let [offset, lines] = [0, 0]
    let pending: Buffer[] = []
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK)
      if (bytesRead === 0) break
      const chunk = buffer.subarray(0, bytesRead)
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        const rest = chunk.subarray(start, end)
        const bytes = pending.length === 0 ? rest : Buffer.concat([...pending, rest])
        pending = []
        lines += 1
        const text = bytes.toString('utf8')
        const decoded = decodeLine(text)
        yield decoded.kind === 'record'
          ? { ...decoded, position: { journal, offset, length: bytes.length } }
          : { ...decoded, file: name, line: lines, mayBeIntent: mayBeIntent(text) }
        offset += bytes.length + 1
        start = end + 1
      }
      if (start < chunk.length) pending.push(Buffer.from(chunk.subarray(start)))
    }
    // A torn line is not a sent attempt: an intent is written completely before its attempt is sent.
    if (pending.length > 0) yield { kind: 'torn', file: name, line: lines + 1 }
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
 * Renumbers the attempts of a merged run: each shard's journal counts attempts and sessions from 1, and a
 * session that resumes the merged run continues from the total.
 */
export function createRenumbering() {
  /** Attempts of earlier shards, attempts so far, and lost intents that no later number has accounted for. */
  let [before, soFar, lost] = [0, 0, 0]
  /** Sessions of this shard, and of all shards. */
  let [inShard, total] = [0, 0]
  return {
    /** Reserves a number for an unreadable line that may be an intent. */
    reserve: (): void => {
      lost += 1
    },
    /** The record with its attempt number in the merged run. */
    number: (record: JournalRecord): JournalRecord => {
      if (record.kind === 'session') {
        total += 1
        ;[soFar, lost] = [soFar + lost, 0]
        if (record.session === 1 && total > 1) before = soFar
        else if (record.session === total && record.session !== inShard + 1) before = 0
        inShard = record.session
      }
      if (!('attempt' in record) || record.attempt === undefined) return record
      const attempt = before + record.attempt
      lost = record.kind === 'intent' ? 0 : Math.max(0, lost - Math.max(0, attempt - soFar))
      soFar = Math.max(soFar, attempt)
      return before === 0 ? record : { ...record, attempt }
    },
  }
}
