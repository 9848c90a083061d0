// Judges a recorded folder again and writes its reports; and reads a report as data.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compareWithLedger, createLedgerKeyCollector } from '../analysis/figures/ledger.ts'
import { stateAfter } from '../analysis/judging/verdict.ts'
import { createSearchFold } from '../analysis/limit/search-report.ts'
import { readLedger } from '../dataset/ledger.ts'
import type { LimitReport, LoadReport } from '../domain/load.ts'
import type { LedgerResult } from '../domain/quota.ts'
import type { Stop } from '../domain/stop.ts'
import { faultsError, messageOf, optionError, UsageError } from '../options/faults.ts'
import { isPart, type LoadManifest, type Manifest, type SearchManifest } from '../options/manifest.ts'
import { readOptions, type RunSettings } from '../options/settings.ts'
import { announcedRules } from '../pace/observation.ts'
import { readPage } from '../page/render.tsx'
import type { PageData } from '../page/store.ts'
import { limitDocument } from '../report/limit-document.ts'
import { loadDocument } from '../report/load-document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { gaugesOfLoad } from '../report/metric-figures.ts'
import { jsonText } from '../store/files.ts'
import { isRun, runFolder, type RunFolder } from '../store/folder.ts'
import { isHeld } from '../store/lock.ts'
import { readManifest, withOptions, writeManifest } from '../store/manifest.ts'
import { checkThresholds, readJudging } from './judging.ts'
import { openMeter } from './metrics.ts'
import { type Ledger, openJudging } from './open-judging.ts'
import { type Ports, realPorts } from './ports.ts'
import {
  foldJournals,
  openManifest,
  openRun,
  type ReadingOptions,
  rejectLostJournal,
  startReading,
} from './recorded-run.ts'
import { type Ended, pageOf, writeReports } from './reports.ts'
import { concludeRun, type RunResult } from './write-run.ts'

export interface ReportOptions extends ReadingOptions<'report'> {
  readonly run: string
}

export async function report(
  options: ReportOptions,
  ports: Ports = realPorts(),
): Promise<RunResult | LoadResult | LimitResult> {
  const { run: path, onEvent, ...written } = options
  const settings = readOptions('report', written)
  const reading = startReading(ports, onEvent)
  const { note, notes } = reading
  const folder = runFolder(path)
  const manifest = await openManifest(path, reading)
  const ledger = await openLedger(settings.ledger, manifest, note)
  if (manifest.kind !== 'run') return reportLoad(folder, manifest, settings, ledger)
  // The table that a report writes is no article, and one of the user's would be lost.
  if (settings.articles !== undefined && resolve(settings.articles) === resolve(folder.articles))
    throw optionError('articles', `${settings.articles} is replaced by the report: name a file elsewhere`)
  const meter = await openMeter(manifest, folder.path)
  const beside = [meter, ...(ledger ? [ledger] : [])]
  const recorded = await openRun(path, 'it has no grades', reading, { manifest, beside })
  const { stop, lastAt } = recorded.model
  const questions = manifest.shard === undefined ? recorded.model.questions : undefined
  const judged = { targets: [manifest.target.name], questions, recorded }
  const imported = await readJudging(settings, judged, reading)
  // The disk rejected it at the run's end.
  if (manifest.state === 'running' && stop !== undefined && lastAt !== undefined)
    writeManifest(folder, { ...manifest, state: stateAfter(stop), endedAt: new Date(lastAt).toISOString() })
  const run = { ...recorded, manifest: withOptions(manifest, settings, path, ['judge']) }
  const judging = { settings, imported, reading, ledger }
  return { ...(await concludeRun(run, await openJudging(run, judging), judging, meter)), notes }
}

async function openLedger(
  paths: readonly string[] | undefined,
  { runId, merged }: Manifest,
  note: (text: string) => void,
): Promise<Ledger | undefined> {
  if (paths === undefined) return undefined
  const readings = await Promise.all(paths.map(async (path) => readLedger(path)))
  const faults = readings.flatMap((reading) => reading.faults)
  if (faults.length > 0) throw faultsError(faults, 'written')
  readings.flatMap(({ warnings }) => warnings).forEach(note)
  const keys = createLedgerKeyCollector([runId, ...(merged?.parts ?? []).map((part) => part.runId)])
  const entries = readings.flatMap((reading) => reading.entries)
  return { add: keys.add, compare: (account) => compareWithLedger(entries, keys.finish(), account) }
}

export function setsOfRun(folder: string): RunSets {
  const manifest = readManifest(runFolder(folder))
  const { datasets, options } = manifest
  const baseline = isPart(manifest) && 'baseline' in options ? options.baseline : null
  const before = baseline === null ? null : resolve(folder, baseline)
  const earlier = before !== null && isRun(before) ? setsOfRun(before) : undefined
  // In which of several sets a question stands is not known.
  if (earlier?.paths.length === 1) return earlier
  return { paths: datasets.map(({ source }) => resolve(folder, source)), column: options.column }
}

export interface RunSets {
  readonly paths: readonly string[]
  readonly column: readonly string[]
}

export async function recordedReport(
  options: { readonly folder: string; readonly mayWrite?: boolean },
  ports: Ports = realPorts(),
): Promise<{ page: PageData | null; reason: string }> {
  const { folder, mayWrite = true } = options
  const files = runFolder(folder)
  const isOfRun = isRun(folder)
  const read = () => (existsSync(files.page) ? readPage(readFileSync(files.page, 'utf8')) : undefined)
  const page = read()
  if (page !== undefined) return { page, reason: '' }
  if (!mayWrite || !isOfRun) return { page: null, reason: 'It has no report of this version.' }
  if (isHeld(folder)) return { page: null, reason: '' }
  try {
    await report({ run: folder }, ports)
    return { page: read() ?? null, reason: '' }
  } catch (error) {
    return { page: null, reason: messageOf(error) }
  }
}

export interface LoadResult extends Ended {
  readonly kind: 'load'
  readonly verdict: LoadReport['verdict']
  readonly report: LoadReport
  readonly ledger: LedgerResult | undefined
}
export interface LimitResult extends Ended {
  readonly kind: 'limit'
  readonly verdict: LimitReport['verdict']
  readonly report: LimitReport
}

export async function reportLoad(
  folder: RunFolder,
  recorded: LoadManifest | SearchManifest,
  settings: RunSettings,
  ledger: Ledger | undefined,
): Promise<LoadResult | LimitResult> {
  if (recorded.shard !== undefined || recorded.merged !== undefined)
    throw new UsageError(
      `${folder.path} is a shard of a load test, or joins several, which this version cannot report again: ` +
        'read its load.json and report.html',
    )
  const ofGrades = ['articles', 'baseline', 'reviews', 'excel', 'passPolicy'] as const
  const odd = ofGrades.find((name) => settings[name] !== undefined)
  if (odd !== undefined)
    throw optionError(odd, `needs a run; ${folder.path} is a load test, which has no grades`)
  const manifest = withOptions(recorded, settings, folder.path, ['judge'])
  checkThresholds(manifest.options.threshold, 'load')
  return concludeLoad(folder, manifest, undefined, ledger)
}

/** Concludes with `stop`, since the journal may lack it. Throws UsageError if the journal is lost. */
export async function concludeLoad(
  folder: RunFolder,
  manifest: LoadManifest | SearchManifest,
  stop?: Stop,
  ledger?: Ledger,
): Promise<LoadResult | LimitResult> {
  if (manifest.kind === 'search') {
    const fold = createSearchFold(manifest, announcedRules)
    const counted = fold.finish(await foldJournals(folder, [fold]), stop)
    if (stop === undefined) rejectLostJournal(folder, counted.run.sessions + counted.calls.sent > 0)
    const document = limitDocument(counted)
    const ended = await writeReports(folder, counted, document, [
      [folder.limit, jsonText(counted)],
      [folder.summaryMarkdown, renderMarkdown(document)],
    ])
    return { kind: 'limit', ...ended, report: counted }
  }
  // Loaded late: the histogram library is slow to load.
  const { createLoadFold } = await import('../analysis/load/fold.ts')
  const fold = createLoadFold(manifest, announcedRules)
  const meter = await openMeter(manifest, folder.path)
  const counted = fold.finish(await foldJournals(folder, [fold, meter, ...(ledger ? [ledger] : [])]), stop)
  if (stop === undefined) rejectLostJournal(folder, counted.run.sessions + counted.turns.total > 0)
  const compared = ledger?.compare(counted.quota)
  const document = loadDocument(counted, compared)
  const ended = await writeReports(folder, counted, document, [
    [folder.load, jsonText(counted)],
    [folder.summaryMarkdown, renderMarkdown(document)],
    [folder.page, pageOf(document)],
    [folder.loadMetrics, await meter.text(gaugesOfLoad(counted), counted.turns.notSent)],
  ])
  return { kind: 'load', ...ended, report: counted, ledger: compared }
}
