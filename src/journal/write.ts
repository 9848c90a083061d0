// Appends records to a journal: batches them per turn of the event loop, syncs once a second.
import { closeSync, fdatasync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import type { JournalRecord } from '../domain/journal.ts'
import type { Mask } from '../domain/secret.ts'
import { guard, isUnsupportedSync, StorageError } from '../domain/storage-error.ts'
import { encodeRecord } from './line.ts'

const SYNC_EVERY_MS = 1000
/** Limits the buffered records: a session starts with one for each question of the set. */
const MAX_BUFFERED = 256
const sync = promisify(fdatasync)

export type Journal = ReturnType<typeof openJournal>

/**
 * Creates the file. Throws StorageError. Writes nothing after a failed write, so the file ends with a whole
 * line. `rejectLost`, called before each write, throws if this process may not write any more.
 */
export function openJournal(path: string, mask: Mask | undefined, rejectLost: () => void = () => undefined) {
  const file = guard(() => openSync(path, 'ax'))
  let size = 0
  let buffered: JournalRecord[] = []
  let appended = 0
  let failure: { readonly error: StorageError; readonly after: number } | undefined
  let immediate: NodeJS.Immediate | undefined
  let isDirty = false

  const fail = (error: unknown, after: number): void => {
    failure ??= { error: new StorageError(error), after }
  }
  const write = (): void => {
    clearImmediate(immediate)
    immediate = undefined
    const records = buffered
    buffered = []
    if (records.length === 0 || failure !== undefined) return
    try {
      rejectLost()
      const bytes = Buffer.from(records.map((record) => `${encodeRecord(record, mask)}\n`).join(''))
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
      size += bytes.length
      isDirty = true
    } catch (error) {
      fail(error, appended - records.length)
      try {
        ftruncateSync(file, size)
      } catch {
        // A reader skips a torn last line, and nothing is written after it.
      }
    }
  }
  const syncNow = async (): Promise<void> => {
    isDirty = false
    try {
      await sync(file)
    } catch (error) {
      if (!isUnsupportedSync(error)) fail(error, appended)
    }
  }
  const timer = setInterval(() => {
    if (isDirty) void syncNow()
  }, SYNC_EVERY_MS)
  timer.unref()

  return {
    /** Buffers a record until the next `flush` or turn of the event loop: a kill in between loses it. */
    append: (record: JournalRecord): void => {
      appended += 1
      if (buffered.push(record) >= MAX_BUFFERED) write()
      else immediate ??= setImmediate(write)
    },
    /** Counts the records appended so far; identifies the last one for `flush`. */
    appended: () => appended,
    /**
     * Writes all buffered records: an attempt may be sent only after its intent is in the file. Throws
     * StorageError if record `upTo` or an earlier one could not be written.
     */
    flush: (upTo = Infinity): void => {
      write()
      if (failure !== undefined && upTo > failure.after) throw failure.error
    },
    close: async (): Promise<void> => {
      clearInterval(timer)
      write()
      await syncNow()
      closeSync(file)
      if (failure !== undefined) throw failure.error
    },
  }
}
