// `history`: the figures of many recorded runs over time, from their summaries alone.
import { existsSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import type * as z from 'zod'
import { makeHistory, type FoundRuns } from '../analysis/history/make-history.ts'
import type { RecordedLoad, RecordedRun } from '../analysis/history/recorded-run.ts'
import {
  type History,
  type HistoryRun,
  type LeftOut,
  recordedSummarySchema,
  recordedUsageSchema,
} from '../domain/history.ts'
import type { Manifest } from '../domain/manifest.ts'
import { renderHistoryCsv } from '../report/history/csv.ts'
import { renderHistoryPage } from '../report/page/history/page.ts'
import { shellWord } from '../report/shell-word.ts'
import { type CommandSettings, readOptions } from './options.ts'
import { makeFolder, readJson, writeWhole } from './files.ts'
import { findRunFolders, type FoundFolder } from './find-runs.ts'
import { sheetOf } from './manifest.ts'
import { isRun, readManifest, runFolder } from './run-folder.ts'
import { pageAssets, VERSION } from './shipped.ts'
import { didYouMean, messageOf, optionError, UsageError } from './usage-error.ts'

export interface HistoryOptions extends CommandSettings<'history'> {
  /** In which run folders stand, at any depth. */
  readonly folder: string
}

export interface HistoryResult {
  readonly history: History
  /** Where they were written: `history.html`, `history.csv`. */
  readonly page: string
  readonly table: string
  /** A run's folder as a word for a shell. */
  readonly pathOf: (run: HistoryRun) => string
}

/** Rejects with UsageError for a folder without runs. */
export async function history({ folder, ...written }: HistoryOptions): Promise<HistoryResult> {
  const settings = readOptions('history', written)
  const out = settings.out ?? folder
  const found = findRuns(folder)
  if (isRun(out))
    throw new UsageError(
      `the history would be written into the run ${out}, which must stay as it is: name another folder with --out`,
    )
  rejectUnknownTargets(found, settings.target)
  const { since, target: targets } = settings
  const made = makeHistory(found, { harnessVersion: VERSION, since, targets })
  if (made.series.length === 0) throw new UsageError(whyNone(folder, made))
  const pathOf = (run: HistoryRun): string => shellWord(join(folder, run.folder))
  const [page, table] = [join(out, 'history.html'), join(out, 'history.csv')]
  makeFolder(out)
  writeWhole(
    table,
    [...renderHistoryCsv(made, sheetOf(settings.excel ?? false, found.runs.at(-1)?.manifest))].join(''),
  )
  const wayTo = relative(resolve(out), resolve(folder)).split(sep)
  const about = { name: basename(resolve(folder)), wayTo, pathOf, assets: pageAssets('history') }
  writeWhole(page, [...renderHistoryPage(made, about)].join(''))
  return { history: made, page, table, pathOf }
}

function findRuns(folder: string): FoundRuns {
  const [runs, loads, leftOut]: [RecordedRun[], RecordedLoad[], LeftOut[]] = [[], [], []]
  for (const one of findRunFolders(folder)) {
    try {
      const manifest = readManifest(runFolder(one.path))
      if (manifest.load === null && manifest.findLimit === undefined) runs.push(readRun(one, manifest))
      else {
        loads.push(readLoad(one, manifest))
        const reason = 'a load test: its figures are of another kind; its usage counts in the months'
        leftOut.push({ folder: one.name, kind: 'load', reason })
      }
    } catch (error) {
      leftOut.push({ folder: one.name, kind: 'unreadable', reason: messageOf(error) })
    }
  }
  return { runs, loads, leftOut }
}

const inUtc = (manifest: Manifest): Manifest => ({
  ...manifest,
  startedAt: new Date(manifest.startedAt).toISOString(),
})

function readRun({ path, name }: FoundFolder, manifest: Manifest): RecordedRun {
  const { summary, page } = runFolder(path)
  const { shard, merged } = manifest
  return {
    folder: name,
    manifest: inUtc(manifest),
    summary: readReport(summary, recordedSummarySchema, path),
    hasPage: existsSync(page),
    shard: shard === undefined ? null : `${shard.index}/${shard.of}`,
    parts: merged?.parts.map(({ runId }) => runId) ?? [],
  }
}

function readLoad({ path, name }: FoundFolder, manifest: Manifest): RecordedLoad {
  const { load, limit } = runFolder(path)
  const file = manifest.load === null ? limit : load
  return { folder: name, manifest: inUtc(manifest), usage: readReport(file, recordedUsageSchema, path) }
}

/** Throws UsageError that names the command which writes the file anew. */
function readReport<T>(file: string, schema: z.ZodType<T>, path: string): T {
  const again = `npx assist-harness report ${shellWord(path)} writes it anew`
  if (!existsSync(file)) throw new UsageError(`${basename(file)} is missing; ${again}`)
  let json: unknown
  try {
    json = readJson(file)
  } catch {
    throw new UsageError(`${basename(file)} is torn or no JSON; ${again}`)
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(
    `${basename(file)} lacks what a history needs (${issue?.path.join('.')}: ${issue?.message}); ${again}`,
  )
}

function rejectUnknownTargets({ runs }: FoundRuns, targets: readonly string[] | undefined): void {
  const known = [...new Set(runs.map(({ manifest }) => manifest.target.name))].toSorted()
  const unknown = targets?.find((name) => !known.includes(name))
  if (unknown === undefined || known.length === 0) return
  const hint = didYouMean(unknown, known) || `; there are runs of ${known.join(', ')}`
  throw optionError('target', `${unknown}: no run here is of it${hint}`)
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
