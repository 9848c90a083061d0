// Joins the journals of shards into one: by time, with attempts and sessions numbered anew.
import { closeSync, openSync, writeFileSync } from 'node:fs'
import type { JournalRecord, RecordOf } from '../domain/journal.ts'
import { guard } from '../domain/storage-error.ts'
import { encodeRecord } from './line.ts'
import { type Entry, readJournal } from './read.ts'

const BATCH = 1000

/**
 * Writes `path`: first `opening`, the questions and the set of all shards; then the records of the journals
 * by time, without their questions, sets and ends; last `end`, unless a process died. A line that cannot be
 * read keeps its place. Throws StorageError.
 */
export async function joinJournals(
  shards: readonly string[],
  path: string,
  opening: readonly JournalRecord[],
  end: RecordOf<'end'> | undefined,
): Promise<void> {
  const file = guard(() => openSync(path, 'ax'))
  let lines: string[] = []
  const flush = (): void => {
    // A single write may take a part, as of the last bytes of a disk.
    guard(() => writeFileSync(file, lines.join('')))
    lines = []
  }
  const write = (line: string): void => {
    if (lines.push(`${line}\n`) >= BATCH) flush()
  }
  try {
    for (const record of opening) write(encodeRecord(record, undefined))
    const renumber = createNumbering(shards)
    for await (const { shard, entry } of byTime(shards))
      if (entry.kind === 'record') write(encodeRecord(renumber(entry.record, shard), undefined))
      else if (entry.kind === 'garbled') write(entry.text)
    if (end !== undefined) write(encodeRecord(end, undefined))
    flush()
  } finally {
    closeSync(file)
  }
}

interface Head {
  readonly shard: number
  readonly entry: Entry
  /** Is the time of the record before it, for a line that cannot be read. */
  readonly at: number
}

/** Stays with a shard while nothing of another is earlier: a result and its outcome follow each other. */
async function* byTime(shards: readonly string[]): AsyncGenerator<Head> {
  const sources = shards.map((path, shard) => headsOf(path, shard))
  const heads = (await Promise.all(sources.map(async (source) => source.next()))).map(({ value }) => value)
  for (let last = 0; ;) {
    const first = heads.reduce<Head | undefined>(
      (best, head) => (head !== undefined && (best === undefined || head.at < best.at) ? head : best),
      heads[last],
    )
    if (first === undefined) return
    yield first
    last = first.shard
    heads[last] = (await sources[last]?.next())?.value
  }
}

async function* headsOf(path: string, shard: number): AsyncGenerator<Head, undefined> {
  let at = -Infinity
  for await (const entry of readJournal(path)) {
    if (entry.kind === 'record') {
      const { record } = entry
      if (record.kind === 'question' || record.kind === 'set' || record.kind === 'end') continue
      at = Math.max(at, record.at)
    }
    yield { shard, entry, at }
  }
  return undefined
}

function createNumbering(shards: readonly string[]) {
  const numberings = shards.map(() => ({ numbers: new Map<number, number>(), highest: 0 }))
  let [attempts, sessions] = [0, 0]
  return (record: JournalRecord, shard: number): JournalRecord => {
    if (record.kind === 'session') return { ...record, session: (sessions += 1) }
    const numbering = numberings[shard]
    if (!('attempt' in record) || record.attempt === undefined || numbering === undefined) return record
    const { numbers, highest } = numbering
    if (!numbers.has(record.attempt)) {
      // A number without a record is an attempt that was lost: it is left out here, too.
      attempts += Math.max(1, record.attempt - highest)
      numbers.set(record.attempt, attempts)
      numbering.highest = Math.max(highest, record.attempt)
    }
    return { ...record, attempt: numbers.get(record.attempt) ?? attempts }
  }
}
