// `report`: fold, render and conclude again, from a recorded folder alone.
import { resolve } from 'node:path'
import { compareWithLedger, createLedgerKeyCollector } from '../analysis/ledger.ts'
import { stateAfter } from '../analysis/verdict.ts'
import { readLedger } from '../dataset/ledger.ts'
import { faultsError, optionError } from '../options/faults.ts'
import type { Manifest } from '../options/manifest.ts'
import { type CommandOptions, readOptions } from '../options/settings.ts'
import { createEventSink, type RunEvent } from '../runner/events.ts'
import { runFolder, type RunFolder } from '../store/folder.ts'
import { writeManifest } from '../store/manifest.ts'
import { withOptions } from '../store/recorded-options.ts'
import { type LimitResult, type LoadResult, reportLoad } from './conclude-load.ts'
import { judgeAndWrite, type RunResult } from './write-run.ts'
import { readJudging } from './judging.ts'
import { type Ports, realPorts } from './ports.ts'
import { foldJournals, openManifest, openRun } from './recorded-run.ts'
import type { CheckLedger } from './reports.ts'

export interface ReportOptions extends CommandOptions<'report'> {
  /** Folder of a run, a load test, or a search for the limit. */
  readonly run: string
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

export async function report(
  options: ReportOptions,
  ports: Ports = realPorts(),
): Promise<RunResult | LoadResult | LimitResult> {
  const { run: path, onEvent, ...written } = options
  const settings = readOptions('report', written)
  const { note, notes } = createEventSink(onEvent)
  const reading = { note, ports, unheld: new Set<string>() }
  const folder = runFolder(path)
  const manifest = await openManifest(path, reading)
  if (manifest.kind !== 'run')
    return reportLoad(folder, manifest, settings, await openLedger(settings.ledger, folder, manifest))
  // The table that a report writes is no article, and one of the user's would be lost.
  if (settings.articles !== undefined && resolve(settings.articles) === resolve(folder.articles))
    throw optionError('articles', `${settings.articles} is replaced by the report: name a file elsewhere`)
  const recorded = await openRun(path, 'it has no grades', reading)
  const { target, shard } = manifest
  const questions = shard === undefined ? recorded.model.questions : undefined
  const judged = { targets: [target.name], questions, recorded }
  const imported = await readJudging(settings, judged, reading)
  const checkLedger = await openLedger(settings.ledger, folder, manifest)
  const { stop, lastAt } = recorded.model
  // The disk rejected it at the run's end.
  if (manifest.state === 'running' && stop !== undefined && lastAt !== undefined)
    writeManifest(folder, { ...manifest, state: stateAfter(stop), endedAt: new Date(lastAt).toISOString() })
  const run = { ...recorded, manifest: withOptions(manifest, settings, path, ['judge']) }
  return { ...(await judgeAndWrite(run, { settings, imported, checkLedger, reading })), notes }
}

/** Undefined without files. Throws UsageError with every fault in them. */
async function openLedger(
  paths: readonly string[] | undefined,
  folder: RunFolder,
  manifest: Manifest,
): Promise<CheckLedger | undefined> {
  if (paths === undefined) return undefined
  const readings = await Promise.all(paths.map(async (path) => readLedger(path)))
  const faults = readings.flatMap((reading) => reading.faults)
  if (faults.length > 0) throw faultsError(faults, 'written')
  const { runId, merged } = manifest
  const keys = createLedgerKeyCollector([runId, ...(merged?.parts ?? []).map((part) => part.runId)])
  await foldJournals(folder, keys)
  const entries = readings.flatMap((reading) => reading.entries)
  return (account) => compareWithLedger(entries, keys.finish(), account)
}
