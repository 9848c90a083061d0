// What the ends of runs, load tests and searches for the limit have in common: their result and their reports.
import { resolve } from 'node:path'
import type { LedgerResult, UsageRange } from '../domain/quota.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { Document } from '../report/document.ts'
import { type NamedText, writeFiles } from './files.ts'
import type { RunFolder } from './run-folder.ts'

/** How a run, a load test or a search for the limit ended. Failures of the endpoint are in here; they are never thrown. */
export interface Ended {
  readonly verdict: string
  /** 0 passed, 1 a gate failed, 3 the key was refused, 4 or 130 can be resumed, 5 a fault of the harness. */
  readonly exitCode: number
  /** Why, in a sentence. */
  readonly reason: string
  /** Absolute; holds `journal.ndjson`, `summary.md` and the other reports. */
  readonly folder: string
  readonly notes: readonly string[]
  /** For the screen. */
  readonly shown: {
    readonly document: Document
    /** The folder as the user wrote it. */
    readonly folder: string
  }
}

/** What the results of runs, load tests and searches have in common. */
export const endedAs = <V extends string>(
  { path }: RunFolder,
  { verdict, exitCode, reason }: Pick<Ended, 'exitCode' | 'reason'> & { readonly verdict: V },
  document: Document,
) => ({
  verdict,
  exitCode,
  reason,
  folder: resolve(path),
  notes: [],
  shown: { document, folder: path },
})

/** Writes reports of a run, a load test or a search. Throws StorageError with the folder if the disk rejects one. */
export async function writeReports({ path }: RunFolder, files: readonly NamedText[]): Promise<void> {
  try {
    await writeFiles(files)
  } catch (error) {
    throw error instanceof StorageError ? new StorageError(error, path) : error
  }
}

/** Compares the account of a run with the organization's own usage export. */
export type CheckLedger = (account: UsageRange) => LedgerResult
