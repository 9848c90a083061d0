// What runs, load tests, searches, comparisons and histories end with: their result, their reports, and the
// report page.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { MergedReviews } from '../analysis/reviews/book.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { LedgerResult, UsageRange } from '../domain/quota.ts'
import { StorageError } from '../domain/storage-error.ts'
import { UsageError } from '../options/faults.ts'
import { renderPage } from '../page/render.tsx'
import { pageChanges } from '../report/comparison-document.ts'
import type { Document } from '../report/document.ts'
import type { Sheet } from '../report/sheet.ts'
import { renderWorkbook } from '../report/workbook.ts'
import { type NamedText, writeFiles } from '../store/files.ts'
import type { RunFolder } from '../store/folder.ts'
import type { Job } from './job.ts'
import type { Session } from './session.ts'
import { packageFile } from './shipped.ts'
import { unlessStalled } from './signals.ts'

/** Failures of the endpoint are in here; they are never thrown. */
export interface Ended {
  readonly verdict: string
  /** 0 passed, 1 a gate failed, 3 the key was refused, 4 or 130 can be resumed, 5 a fault of the harness. */
  readonly exitCode: number
  readonly reason: string
  /** Absolute; holds `journal.ndjson`, `summary.md` and the other reports. */
  readonly folder: string
  readonly notes: readonly string[]
  /** Says why files of the folder are missing or old; null if all are written. `report` writes them later. */
  readonly unwritten: string | null
  readonly shown: {
    readonly document: Document
    /** The folder as the user wrote it. */
    readonly folder: string
  }
}

export const endedAs = <V extends string>(
  { path }: RunFolder,
  { verdict, exitCode, reason }: { readonly verdict: V; readonly exitCode: number; readonly reason: string },
  document: Document,
  fault: string | null,
) => ({
  verdict,
  ...(fault === null ? { exitCode, unwritten: null } : withoutFiles(exitCode, fault)),
  reason,
  folder: resolve(path),
  notes: [],
  shown: { document, folder: path },
})

/** Without its files a run is not finished, whatever its gates say. */
export const withoutFiles = (exitCode: number, fault: string) => ({
  exitCode: exitCode < 2 ? 4 : exitCode,
  unwritten: fault,
})

/** `before` writes first. Returns why the disk rejects a file; null if it takes them all. */
export async function writeReports(
  files: readonly NamedText[],
  before: () => void = () => undefined,
): Promise<string | null> {
  try {
    before()
    await writeFiles(files)
    return null
  } catch (error) {
    if (error instanceof StorageError) return error.message
    throw error
  }
}

/**
 * Folds, renders and concludes; then writes what `run.json` could not record at the session's end. Throws
 * StorageError for a table in the folder that cannot be read any more: calls were sent, so it is no
 * UsageError.
 */
export async function concludeSent<Result extends Ended>(
  { plan: { recording }, manifest, unrecorded, events }: Session,
  { notes, ports }: Job,
  conclude: () => Promise<Result>,
): Promise<Result> {
  const { wall } = ports.clock
  events.emit({ kind: 'reporting', at: wall(), folder: recording.path })
  try {
    recording.check()
    const concluded = await unlessStalled('writing the reports', conclude())
    const fault = unrecorded === undefined ? undefined : recording.writeManifest(manifest)
    const result =
      fault === undefined
        ? concluded
        : { ...concluded, ...withoutFiles(concluded.exitCode, `run.json: ${fault}`) }
    const { verdict, exitCode, reason } = result
    events.emit({ kind: 'ended', at: wall(), folder: result.folder, verdict, exitCode, reason })
    return { ...result, notes: [...notes, ...events.notes] }
  } catch (error) {
    throw error instanceof UsageError ? new StorageError(error, recording.path) : error
  }
}

export type CheckLedger = (account: UsageRange) => LedgerResult

interface Conversations {
  readonly runId: string
  /** Downloads are named after it. */
  readonly name: string
  readonly reviews: MergedReviews | undefined
  readonly turns: Iterable<PageTurn>
}

/** The page comes in pieces: a document, and with it the conversations that it can search. */
export function pageOf(document: Document, shown?: Conversations): Iterable<string> {
  const assets = { script: asset('main.js'), style: asset('page.css') }
  if (shown === undefined) return renderPage({ document, assets })
  const { runId, name, reviews, turns } = shown
  return renderPage({
    document,
    assets,
    conversations: {
      contents: { runId, name, changes: pageChanges, reviews: reviews?.book.current() ?? [] },
      turns,
    },
  })
}

function asset(file: string): string {
  const path = join(packageFile('dist/page'), file)
  if (!existsSync(path)) throw new Error('the report page was not built; run npm run build')
  return readFileSync(path, 'utf8')
}

/**
 * `results.xlsx` is written with `excel`, and where there is one already: it must not fall behind the other
 * tables.
 */
export const workbookFiles = (
  path: string,
  excel: boolean | undefined,
  sheets: () => readonly Sheet[],
): NamedText[] => (excel === true || existsSync(path) ? [[path, renderWorkbook(sheets())]] : [])
