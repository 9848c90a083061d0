// Appends records to a journal, each written before the call returns, and brings them to the disk.
import {
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { JournalRecord } from '../domain/journal.ts'
import type { Secret } from '../domain/secret.ts'
import { StorageError } from '../domain/storage-error.ts'
import { createGroupCommit } from './group-commit.ts'
import { createSumLines } from './line-bytes.ts'
import { encodeAll, encodeRecord, TORN_MARK } from './line.ts'
import { openReserve, type Reserve } from './reserve.ts'

/**
 * `process`: what is written outlives the process, and is synced once a second: a power cut loses a second.
 * `power`: nothing is sent before its intent is on the disk.
 */
export type Durability = 'process' | 'power'

export interface JournalWriter {
  /**
   * Throws StorageError where the record could not be written whole; the file then ends with the record before.
   * Once the disk has been full, intents and restarts are refused, but what is under way can still be recorded.
   */
  append(record: JournalRecord): void
  /**
   * The same for several at once, in one write. Where the disk does not take it, none of their intents and restarts is
   * written, and the others as far as it takes them. Throws what the first that failed throws.
   * `replyJsons`: the JSON of each record's reply, where it is at hand.
   */
  appendAll(records: readonly JournalRecord[], replyJsons?: readonly (string | undefined)[]): void
  /** Waits for the disk as far as the durability asks for it; rejects with StorageError. */
  commit(): Promise<void>
  /** Syncs to disk and closes. */
  close(): Promise<void>
}

const SYNC_EVERY_MS = 1000
const sync = promisify(fdatasync)

/** Synchronous on purpose: an attempt may be sent only once its intent stands in the file. */
export function openJournal(
  path: string,
  secret: Secret | undefined,
  durability: Durability = 'process',
): JournalWriter {
  const file = guard(() => openSync(path, 'a+'))
  const { reserve, size: sizeBefore } = prepare(file, path)
  let size = sizeBefore
  let failure: StorageError | undefined
  let isDirty = false
  const sumLines = createSumLines()
  const group = createGroupCommit(async () => {
    isDirty = false
    await sync(file)
  })

  const syncNow = async (): Promise<void> => {
    try {
      await group.commit()
    } catch (error) {
      failure ??= new StorageError(error)
      throw failure
    }
  }
  const timer = setInterval(() => {
    // A failure is kept, and thrown where the next intent meets it.
    if (isDirty) syncNow().catch(() => undefined)
  }, SYNC_EVERY_MS)
  timer.unref()

  const write = (bytes: Buffer): void => {
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
      size += bytes.length
      isDirty = true
    } catch (error) {
      // Half a line would run into the next one.
      ftruncateSync(file, size)
      throw error
    }
  }

  const append = (record: JournalRecord): void => {
    // A thread that starts again gives up its answers: not where it cannot be asked any more.
    const begins = record.kind === 'intent' || record.kind === 'restart'
    if (failure !== undefined && begins) throw failure
    const bytes = Buffer.from(`${encodeRecord(record, secret)}\n`)
    try {
      write(bytes)
    } catch (error) {
      failure ??= new StorageError(error)
      // What was kept back for this moment takes what is under way; new attempts are over.
      reserve.release()
      if (begins) throw failure
      guard(() => write(bytes))
    }
  }

  return {
    append,
    appendAll: (records, replyJsons = []) => {
      try {
        if (failure === undefined) {
          write(sumLines(encodeAll(records, secret, replyJsons)))
          return
        }
      } catch (error) {
        // Nobody can tell which of the intents would find room: no attempt of theirs is sent.
        failure = new StorageError(error)
        reserve.release()
      }
      let refused: unknown
      for (const record of records)
        try {
          append(record)
        } catch (error) {
          refused ??= error
        }
      if (refused !== undefined) throw refused
    },
    commit: async () => {
      if (durability === 'power') await syncNow()
    },
    close: async () => {
      clearInterval(timer)
      reserve.release()
      try {
        await group.commit()
      } finally {
        closeSync(file)
      }
    },
  }
}

/** Keeps nothing open, and no room back, where the journal cannot be written. */
function prepare(file: number, path: string): { readonly reserve: Reserve; readonly size: number } {
  let reserve: Reserve | undefined
  try {
    reserve = openReserve(`${path}.reserve`)
    const size = guard(() => endLastLine(file))
    guard(() => syncFolder(dirname(path)))
    return { reserve, size }
  } catch (error) {
    reserve?.release()
    closeSync(file)
    throw error
  }
}

function guard<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof StorageError ? error : new StorageError(error)
  }
}

/** A line that a dead process left torn must not run into the next one. Returns the file's size, bytes. */
function endLastLine(file: number): number {
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  const isTorn = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n'
  return isTorn ? size + writeSync(file, `${TORN_MARK}\n`) : size
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
