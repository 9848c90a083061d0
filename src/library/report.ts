// Judges a recorded folder again and writes its reports; and reads a report as data.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compareWithLedger, createLedgerKeyCollector } from '../analysis/figures/ledger.ts'
import { stateAfter } from '../analysis/judging/verdict.ts'
import { readLedger } from '../dataset/ledger.ts'
import { faultsError, messageOf, optionError } from '../options/faults.ts'
import type { Manifest } from '../options/manifest.ts'
import { type CommandOptions, readOptions } from '../options/settings.ts'
import { readPage } from '../page/read.ts'
import type { PageData } from '../page/store.ts'
import type { RunEvent } from '../runner/events.ts'
import { isRun, runFolder, type RunFolder } from '../store/folder.ts'
import { isHeld } from '../store/lock.ts'
import { readManifest, writeManifest, withOptions } from '../store/manifest.ts'
import { type LimitResult, type LoadResult, reportLoad } from './conclude-load.ts'
import { readJudging } from './judging.ts'
import { type Ports, realPorts } from './ports.ts'
import { foldJournals, openManifest, openRun, startReading } from './recorded-run.ts'
import { type CheckLedger, judgeAndWrite, type RunResult } from './write-run.ts'

export interface ReportOptions extends CommandOptions<'report'> {
  readonly run: string
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

export async function report(
  options: ReportOptions,
  ports: Ports = realPorts(),
): Promise<RunResult | LoadResult | LimitResult> {
  const { run: path, onEvent, ...written } = options
  const settings = readOptions('report', written)
  const reading = startReading(ports, onEvent)
  const { notes } = reading
  const folder = runFolder(path)
  const manifest = await openManifest(path, reading)
  if (manifest.kind !== 'run')
    return reportLoad(folder, manifest, settings, await openLedger(settings.ledger, folder, manifest))
  // The table that a report writes is no article, and one of the user's would be lost.
  if (settings.articles !== undefined && resolve(settings.articles) === resolve(folder.articles))
    throw optionError('articles', `${settings.articles} is replaced by the report: name a file elsewhere`)
  const recorded = await openRun(path, 'it has no grades', reading, manifest)
  const { stop, lastAt } = recorded.model
  const questions = manifest.shard === undefined ? recorded.model.questions : undefined
  const judged = { targets: [manifest.target.name], questions, recorded }
  const imported = await readJudging(settings, judged, reading)
  const checkLedger = await openLedger(settings.ledger, folder, manifest)
  // The disk rejected it at the run's end.
  if (manifest.state === 'running' && stop !== undefined && lastAt !== undefined)
    writeManifest(folder, { ...manifest, state: stateAfter(stop), endedAt: new Date(lastAt).toISOString() })
  const run = { ...recorded, manifest: withOptions(manifest, settings, path, ['judge']) }
  return { ...(await judgeAndWrite(run, { settings, imported, checkLedger, reading })), notes }
}

async function openLedger(
  paths: readonly string[] | undefined,
  folder: RunFolder,
  { runId, merged }: Manifest,
): Promise<CheckLedger | undefined> {
  if (paths === undefined) return undefined
  const readings = await Promise.all(paths.map(async (path) => readLedger(path)))
  const faults = readings.flatMap((reading) => reading.faults)
  if (faults.length > 0) throw faultsError(faults, 'written')
  const keys = createLedgerKeyCollector([runId, ...(merged?.parts ?? []).map((part) => part.runId)])
  await foldJournals(folder, keys)
  const entries = readings.flatMap((reading) => reading.entries)
  return (account) => compareWithLedger(entries, keys.finish(), account)
}

/**
 * Reads the page, which carries all that it shows; null, with a reason, while a process writes the run, and
 * for one without a question sent. Unless `mayWrite`, one of an older version is not written again.
 */
export async function recordedReport(
  { folder, mayWrite = true }: { readonly folder: string; readonly mayWrite?: boolean },
  ports: Ports = realPorts(),
): Promise<{ page: PageData | null; reason: string; sets: readonly string[] }> {
  const files = runFolder(folder)
  const isOfRun = isRun(folder)
  const sets = isOfRun ? readManifest(files).datasets.map(({ source }) => resolve(folder, source)) : []
  const read = () => (existsSync(files.page) ? readPage(readFileSync(files.page, 'utf8')) : undefined)
  const page = read()
  if (page !== undefined) return { page, reason: '', sets }
  if (!mayWrite || !isOfRun) return { page: null, reason: 'It has no report of this version.', sets }
  if (isHeld(folder)) return { page: null, reason: '', sets }
  try {
    await report({ run: folder }, ports)
    return { page: read() ?? null, reason: '', sets }
  } catch (error) {
    return { page: null, reason: messageOf(error), sets }
  }
}
