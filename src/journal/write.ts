// Appends records to a journal: gathered for one turn of the event loop, written in one go, synced once a second.
import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { JournalRecord } from '../domain/journal.ts'
import type { Secret } from '../domain/secret.ts'
import { StorageError } from '../domain/storage-error.ts'
import { encodeRecord } from './line.ts'

export interface JournalWriter {
  /**
   * Keeps a record; it is in the file after the next `flush`, at the latest when the event loop has come round. A process
   * that is killed in between loses answers of that millisecond, as if it had been killed before they came.
   */
  append(record: JournalRecord): void
  /** How many records were appended so far: names the last of them for `flush`. */
  appended(): number
  /**
   * What was appended is in the file when this returns: an attempt may be sent only once its intent is. Throws
   * StorageError where the record that `upTo` names, or one before it, could not be written.
   */
  flush(upTo?: number): void
  /** Syncs to disk and closes. */
  close(): Promise<void>
}

const SYNC_EVERY_MS = 1000
/** Records in memory at most: the opening ones are as many as the set has questions. */
const MOST_GATHERED = 256
const sync = promisify(fdatasync)

/** A new file. Throws StorageError. Once a write has failed, nothing is written any more: the file ends with a whole line. */
export function openJournal(path: string, secret: Secret | undefined): JournalWriter {
  const file = guard(() => openSync(path, 'ax'))
  let size = 0
  try {
    syncFolder(dirname(path))
  } catch (error) {
    closeSync(file)
    throw new StorageError(error)
  }
  let gathered: JournalRecord[] = []
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
    const records = gathered
    gathered = []
    if (records.length === 0 || failure !== undefined) return
    try {
      const bytes = Buffer.from(records.map((record) => `${encodeRecord(record, secret)}\n`).join(''))
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
      size += bytes.length
      isDirty = true
    } catch (error) {
      fail(error, appended - records.length)
      // Half a line would run into the next one.
      ftruncateSync(file, size)
    }
  }
  const syncNow = async (): Promise<void> => {
    isDirty = false
    try {
      await sync(file)
    } catch (error) {
      fail(error, appended)
    }
  }
  const timer = setInterval(() => {
    if (isDirty) void syncNow()
  }, SYNC_EVERY_MS)
  timer.unref()

  return {
    append: (record) => {
      appended += 1
      if (gathered.push(record) >= MOST_GATHERED) write()
      else immediate ??= setImmediate(write)
    },
    appended: () => appended,
    flush: (upTo = Infinity) => {
      write()
      if (failure !== undefined && upTo > failure.after) throw failure.error
    },
    close: async () => {
      clearInterval(timer)
      write()
      try {
        await sync(file)
      } finally {
        closeSync(file)
      }
    },
  }
}

function guard<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new StorageError(error)
  }
}

/** A new file is found again after a power cut only once its folder is on the disk, too. */
function syncFolder(path: string): void {
  // Windows opens no folders, and needs no such care.
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
