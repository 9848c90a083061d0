// What every command that judges ends with: its files, its result, its page.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Change, Row } from '../domain/changes.ts'
import type { Comparison } from '../domain/comparison.ts'
import { StorageError } from '../domain/storage-error.ts'
import { type PageInput, renderPage } from '../page/render.tsx'
import { comparisonDocument } from '../report/comparison-document.ts'
import type { Document } from '../report/document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { COMPARISON_COLUMNS } from '../report/tables.ts'
import { renderWorkbook, type Sheet } from '../report/workbook.ts'
import { jsonText, type NamedText, writeFiles } from '../store/files.ts'
import type { RunFolder } from '../store/folder.ts'
import { packageFile } from './ports.ts'

/** Is how a command that judges ends. Failures of the endpoint are in here; they are never thrown. */
export interface Ended {
  readonly verdict: string
  /**
   * Is 0 if passed, 1 if a gate failed, 3 if the key was refused, 4 or 130 if a resume can finish, 5 if we
   * fail.
   */
  readonly exitCode: number
  readonly reason: string
  /** Is absolute; holds `journal.ndjson`, `summary.md` and the other reports. */
  readonly folder: string
  readonly notes: readonly string[]
  /** Says why files of the folder are missing or old; null if all are written. `report` writes them later. */
  readonly unwritten: string | null
  readonly document: Document
  readonly path: string
}

/** Fails a run without its files: it is not finished, whatever its gates say. */
export const withoutFiles = (exitCode: number, fault: string) => ({
  exitCode: exitCode < 2 ? 4 : exitCode,
  unwritten: fault,
})

/** Writes the reports, after `before`. A disk that rejects a file is a result: the answers are recorded. */
export async function writeReports<V extends string>(
  { path }: RunFolder,
  judged: { readonly verdict: V; readonly exitCode: number; readonly reason: string },
  document: Document,
  files: readonly NamedText[],
  before: () => void = () => undefined,
) {
  const { verdict, exitCode, reason } = judged
  const said = { verdict, reason, folder: resolve(path), notes: [], document, path }
  try {
    before()
    await writeFiles(files)
    return { ...said, exitCode, unwritten: null }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return { ...said, ...withoutFiles(exitCode, error.message) }
  }
}

export function comparisonFiles(
  folder: string,
  comparison: Comparison,
  rows: readonly Row[],
  again: readonly Change[],
) {
  const document = comparisonDocument(comparison, rows, again)
  const files: NamedText[] = [
    // First: it marks the folder as a comparison, which another one may replace.
    [join(folder, 'comparison.json'), jsonText(comparison)],
    [join(folder, 'comparison.csv'), renderSpreadsheet({ columns: COMPARISON_COLUMNS, rows })],
    [join(folder, 'comparison.md'), renderMarkdown(document)],
  ]
  return { document, files }
}

type Conversations = NonNullable<PageInput['conversations']>

export function pageOf(document: Document, conversations?: Conversations): Iterable<string> {
  const assets = { script: asset('main.js'), style: asset('page.css') }
  return renderPage({ document, assets, ...(conversations && { conversations }) })
}

function asset(file: string): string {
  const path = join(packageFile('dist/page'), file)
  if (!existsSync(path)) throw new Error('the report page was not built; run npm run build')
  return readFileSync(path, 'utf8')
}

/** Rewrites a workbook that is there without `excel`, too: it must not fall behind the tables. */
export const workbookFiles = (
  path: string,
  excel: boolean | undefined,
  sheets: () => readonly Sheet[],
): NamedText[] => (excel === true || existsSync(path) ? [[path, renderWorkbook(sheets())]] : [])
