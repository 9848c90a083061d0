// Figures of many recorded runs over time, read from their `summary.json` files.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type FoundRuns, makeHistory } from '../analysis/comparing/history.ts'
import { type FoundRun, type History, type LeftOut, recordedSummarySchema } from '../domain/history.ts'
import { makeMessage } from '../domain/message.ts'
import { optionError, UsageError } from '../options/faults.ts'
import { type CommandOptions, readOptions } from '../options/settings.ts'
import { runsOf } from '../report/history.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { HISTORY_COLUMNS } from '../report/tables.ts'
import { makeFolder, writeFiles } from '../store/files.ts'
import { findRunFolders, isRun, runFolder } from '../store/folder.ts'
import { readSummary } from './read-summary.ts'
import { VERSION } from './shipped.ts'

export interface HistoryOptions extends CommandOptions<'history'> {
  readonly folder: string
}

export interface HistoryResult {
  readonly history: History
  readonly table: string
}

export async function history(options: HistoryOptions): Promise<HistoryResult> {
  const { folder, ...written } = options
  const { out = folder } = readOptions('history', written)
  const found = findRuns(folder)
  if (isRun(out))
    throw new UsageError(`${out} is a run, which must not change: name another folder with --out`)
  const made = makeHistory(found, VERSION)
  if (made.series.length === 0) throw new UsageError(whyNone(folder, made.leftOut))
  const table = join(out, 'history.csv')
  // A table of the user's is not replaced.
  if (existsSync(table) && !/^\uFEFF?"?series"?,"?started_at"?,/.test(readFileSync(table, 'utf8')))
    throw optionError('out', `${table} was not written by history: name another folder`)
  makeFolder(out)
  await writeFiles([[table, renderSpreadsheet({ columns: HISTORY_COLUMNS, rows: runsOf(made) })]])
  return { history: made, table }
}

function findRuns(root: string): FoundRuns {
  const runs: FoundRun[] = []
  const leftOut: LeftOut[] = []
  for (const { path, name: folder, fault } of findRunFolders(root)) {
    const files = runFolder(path)
    const leaveOut = (code: string, text: string): void =>
      void leftOut.push({ folder, reason: makeMessage(code, `${basename(files.summary)} ${text}`) })
    if (fault === undefined && !existsSync(files.summary)) {
      const text = 'is missing: a load test has none. For a run, the report command writes it.'
      leaveOut('history-no-summary', text)
      continue
    }
    const read = fault === undefined ? readSummary(files, recordedSummarySchema) : { fault }
    if (read.fault === undefined) runs.push({ folder, ...read.summary })
    else leaveOut('history-unreadable', `cannot be read (${read.fault}). The report command writes it again.`)
  }
  return { runs, leftOut }
}

function whyNone(folder: string, [first, ...others]: readonly LeftOut[]): string {
  if (first === undefined)
    return `${folder} holds no runs; name the folder that holds the run folders, such as reports`
  const more = others.length > 0 ? `, and ${others.length} more` : ''
  return `${folder} holds no run that history can show: ${first.folder} (${first.reason.text})${more}`
}
