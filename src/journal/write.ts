// Appends records to a journal, each written before the call returns.
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import type { JournalRecord } from '../domain/journal.ts'
import type { Secret } from '../domain/secret.ts'
import { encodeRecord } from './line.ts'

export interface JournalWriter {
  /** Throws where the record could not be written whole. */
  append(record: JournalRecord): void
  /** Syncs to disk and closes. */
  close(): void
}

/** Synchronous on purpose: an attempt may be sent only once its intent stands in the file. */
export function openJournal(path: string, secret: Secret | undefined): JournalWriter {
  const file = openSync(path, 'a+')
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  // A line that a dead process left torn must not run into the next one.
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n')
    writeSync(file, '\n')
  return {
    append: (record) => {
      const bytes = Buffer.from(`${encodeRecord(record, secret)}\n`)
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
    },
    close: () => {
      fsyncSync(file)
      closeSync(file)
    },
  }
}
