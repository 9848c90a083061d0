// Makes the history of a folder of runs, and writes its page and its table.
import { existsSync, statSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import { makeHistory, type FoundRuns } from '../../analysis/history/make-history.ts'
import type { RecordedLoad, RecordedRun } from '../../analysis/history/recorded-run.ts'
import type { History, HistoryRun, LeftOut } from '../../domain/history/history.ts'
import { StorageError } from '../../domain/storage-error.ts'
import { renderHistoryCsv } from '../../report/history/csv.ts'
import { renderHistoryPage } from '../../report/page/history/page.ts'
import { makeFolders, writeWhole } from '../files.ts'
import { sheetOf } from '../sheet.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { historyAssets } from '../page-assets.ts'
import { shellWord } from '../shell-word.ts'
import { didYouMean } from '../../library/suggest.ts'
import { UsageError } from '../../library/usage-error.ts'
import { VERSION } from '../version.ts'
import { findRunFolders } from './find-runs.ts'
import { readRun } from './read-run.ts'

export interface WrittenHistory {
  readonly history: History
  readonly page: string
  readonly table: string
  /** A run's folder as a word for a shell. */
  readonly pathOf: (run: HistoryRun) => string
}

/** Throws UsageError for a folder without runs, and StorageError where the disk does not take the files. */
export async function writeHistory(folder: string, settings: RunSettings): Promise<WrittenHistory> {
  const out = settings.out ?? folder
  checkFolders(folder, out)
  const found = await findRuns(folder)
  refuseUnknownTargets(found, settings.target)
  const history = makeHistory(found, {
    harnessVersion: VERSION,
    since: settings.since,
    targets: settings.target,
  })
  if (history.series.length === 0) throw new UsageError(whyNone(folder, history))
  const pathOf = (run: HistoryRun): string => shellWord(join(folder, run.folder))
  const [page, table] = [join(out, 'history.html'), join(out, 'history.csv')]
  makeOut(out)
  const layout = sheetOf(settings.excel, found.runs.at(-1)?.manifest)
  writeWhole(table, renderHistoryCsv(history, layout))
  const wayTo = relative(resolve(out), resolve(folder)).split(sep)
  const name = basename(resolve(folder))
  writeWhole(page, renderHistoryPage(history, { name, wayTo, pathOf, assets: historyAssets() }))
  return { history, page, table, pathOf }
}

function makeOut(out: string): void {
  try {
    makeFolders(out)
  } catch (error) {
    throw new StorageError(error)
  }
}

function checkFolders(folder: string, out: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined)
    throw new UsageError(`${folder} is not there: name the folder in which the run folders stand`)
  if (!stat.isDirectory())
    throw new UsageError(`${folder} is a file: name the folder in which the run folders stand`)
  if (existsSync(out) && !statSync(out).isDirectory())
    throw new UsageError(`--out ${out} is not a folder; name another`)
  if (existsSync(join(out, 'run.json')))
    throw new UsageError(
      `the history would be written into the run ${out}, which must stay as it is: name ${out === folder ? 'the folder in which it stands, or another one to write to' : 'another folder'} with ${out === folder ? 'history, or --out' : '--out'}`,
    )
}

async function findRuns(folder: string): Promise<FoundRuns> {
  const { folders, closed } = findRunFolders(folder)
  const [runs, loads]: [RecordedRun[], RecordedLoad[]] = [[], []]
  const leftOut: LeftOut[] = closed.map(({ name, reason }) => ({ folder: name, kind: 'unreadable', reason }))
  for (const one of folders) {
    const read = await readRun(one)
    if (read.kind === 'run') runs.push(read.run)
    else leftOut.push(read.leftOut)
    if (read.kind === 'load' && read.load !== undefined) loads.push(read.load)
  }
  return { runs, loads, leftOut }
}

function refuseUnknownTargets({ runs }: FoundRuns, targets: readonly string[] | undefined): void {
  const known = [...new Set(runs.map(({ manifest }) => manifest.target.name))].sort()
  const unknown = targets?.find((name) => !known.includes(name))
  if (unknown === undefined || known.length === 0) return
  throw new UsageError(
    `--target ${unknown}: no run here is of it${didYouMean(unknown, known) || `; there are runs of ${known.join(', ')}`}`,
  )
}

function whyNone(folder: string, { leftOut, notAskedFor }: History): string {
  const { earlier, otherTargets } = notAskedFor
  if (earlier + otherTargets > 0)
    return `${folder} holds no run that --since and --target leave: ${earlier} begun before, ${otherTargets} of other targets`
  const [first] = leftOut
  if (first === undefined)
    return `${folder} holds no runs: name the folder in which the run folders stand, such as reports`
  const many = leftOut.length > 1 ? `, and ${leftOut.length - 1} more like it` : ''
  return `${folder} holds no run that has a place in a history: ${first.folder} (${first.reason})${many}`
}
