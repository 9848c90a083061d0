// Writes the journal of the joined run: its questions, then what happened in all parts, by time, one record of each in memory.
import type { JournalRecord, SetRecord } from '../../domain/journal.ts'
import type { Stop } from '../../domain/stop.ts'
import { encodeRecord } from '../../journal/line.ts'
import { readJournal } from '../../journal/read.ts'
import { createAttemptNumbers, LOST_ATTEMPT } from '../../journal/renumber.ts'
import type { IndexedPart } from './index-parts.ts'
import { createLimitCounts } from './limit-counts.ts'
import { openLines, type LineWriter } from './line-writer.ts'
import { createSittings } from './sittings.ts'

export interface JoinedJournal {
  readonly parts: readonly IndexedPart[]
  readonly set: Omit<SetRecord, 'kind' | 'at'>
  /** Undefined where the joined run has none. */
  readonly stop: Stop | undefined
}

/** Throws StorageError where the disk does not take it. */
export async function joinJournals(path: string, { parts, set, stop }: JoinedJournal): Promise<void> {
  const lines = openLines(path)
  try {
    const write = (record: JournalRecord): void => lines.write(encodeRecord(record, undefined))
    const at = Math.min(...parts.map(({ manifest }) => Date.parse(manifest.startedAt)))
    const sittings = createSittings()
    write(sittings.first(at, parts[0]?.manifest.harnessVersion ?? ''))
    await writeQuestions(parts, write)
    write({ kind: 'set', at, ...set })
    await writeEvents(parts, sittings, write, lines)
    if (stop !== undefined) {
      const ends = parts.flatMap(({ lastAt }) => lastAt ?? [])
      write({ kind: 'end', at: ends.length === 0 ? at : Math.max(...ends), stop })
    }
    lines.end()
  } catch (error) {
    lines.abandon()
    throw error
  }
}

/** All of them, also those that have left the set: what was asked of them was paid. */
async function writeQuestions(
  parts: readonly IndexedPart[],
  write: (record: JournalRecord) => void,
): Promise<void> {
  for (const { folder, sittings } of parts)
    for await (const record of recordsOf(folder.journal)) {
      if (record.kind === 'question') write(record)
      // Only a resume takes on others later.
      if (record.kind === 'set' && sittings === 1) break
    }
}

async function writeEvents(
  parts: readonly IndexedPart[],
  sittings: ReturnType<typeof createSittings>,
  write: (record: JournalRecord) => void,
  lines: LineWriter,
): Promise<void> {
  const numbers = createAttemptNumbers()
  const limits = createLimitCounts()
  const streams = parts.map((part) => ({
    records: recordsOf(part.folder.journal),
    renumber: numbers.forJournal(),
    toSitting: sittings.ofPart(),
    recount: limits.ofPart(),
  }))
  for await (const { record, stream } of byTime(streams)) {
    if (record.kind === 'question' || record.kind === 'set') continue
    const kept = stream.toSitting(stream.recount(record))
    if (kept?.kind === 'sitting') limits.beginSitting()
    if (kept !== undefined) write(stream.renumber(kept))
  }
  // No later attempt tells of these: they are told at the end.
  const begun = parts.reduce((sum, { attempts }) => sum + attempts, 0)
  for (let lost = numbers.given(); lost < begun; lost += 1) lines.write(LOST_ATTEMPT)
}

interface Stream {
  readonly records: AsyncGenerator<JournalRecord>
}

/** Each stream in its own order, the earliest of all first; a clock that was set back does not hold the others up. */
async function* byTime<S extends Stream>(
  streams: readonly S[],
): AsyncGenerator<{ readonly record: JournalRecord; readonly stream: S }> {
  const heads: { stream: S; record: JournalRecord; at: number }[] = []
  for (const stream of streams) {
    const { value, done } = await stream.records.next()
    if (done !== true) heads.push({ stream, record: value, at: timeOf(value, -Infinity) })
  }
  while (heads.length > 0) {
    const head = heads.reduce((first, one) => (one.at < first.at ? one : first))
    yield head
    const { value, done } = await head.stream.records.next()
    if (done === true) heads.splice(heads.indexOf(head), 1)
    else Object.assign(head, { record: value, at: timeOf(value, head.at) })
  }
}

const timeOf = (record: JournalRecord, before: number): number =>
  record.kind === 'question' ? before : Math.max(before, record.at)

/** What cannot be read is told by the notes, and by the numbers of the attempts. */
async function* recordsOf(path: string): AsyncGenerator<JournalRecord> {
  try {
    for await (const entry of readJournal(path)) if (entry.kind === 'record') yield entry.record
  } catch (error) {
    // The process of a part may have died before it had a journal.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
