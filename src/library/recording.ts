// Where a session is recorded: its run folder, or memory.
import type { JournalRecord } from '../domain/journal.ts'
import { type Mask, maskValue } from '../domain/secret.ts'
import { nextJournal } from '../journal/read.ts'
import { type Journal, openJournal } from '../journal/write.ts'
import { messageOf } from '../options/faults.ts'
import type { Manifest } from '../options/manifest.ts'
import type { RunFolder } from '../store/folder.ts'
import type { Lock } from '../store/lock.ts'
import { writeManifest } from '../store/manifest.ts'

export interface Recording {
  /** The run folder; empty in memory. */
  readonly path: string
  /** Aborted when another process has taken the folder over. */
  readonly lost: AbortSignal
  /** Throws TakenOver if another process has the folder. */
  readonly check: () => void
  /** Throws StorageError. */
  readonly openJournal: () => Journal
  /** Returns why the disk rejects it. */
  readonly writeManifest: (manifest: Manifest) => string | undefined
}

export const inFolder = (folder: RunFolder, lock: Lock, mask: Mask): Recording => ({
  path: folder.path,
  lost: lock.lost,
  check: lock.check,
  openJournal: () => openJournal(nextJournal(folder.journal), mask, lock.check),
  writeManifest: (manifest) => {
    try {
      writeManifest(folder, manifest)
      return undefined
    } catch (error) {
      return messageOf(error)
    }
  },
})

/** Adds to `records`, masked as in a journal. */
export const inMemory = (records: JournalRecord[], mask: Mask): Recording => ({
  path: '',
  lost: new AbortController().signal,
  check: () => undefined,
  openJournal: () => ({
    append: (record) => void records.push(maskValue(record, mask) as JournalRecord),
    appended: () => records.length,
    flush: () => undefined,
    close: async () => Promise.resolve(),
  }),
  writeManifest: () => undefined,
})
