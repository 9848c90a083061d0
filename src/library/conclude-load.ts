// Folds, renders and concludes a load test or a search for the limit, from its folder alone.
import { createSearchFold } from '../analysis/limit/search-report.ts'
import type { LimitReport, LoadReport } from '../domain/load.ts'
import type { LedgerResult } from '../domain/quota.ts'
import type { Stop } from '../domain/stop.ts'
import { optionError, UsageError } from '../options/faults.ts'
import type { LoadManifest, SearchManifest } from '../options/manifest.ts'
import type { RunSettings } from '../options/settings.ts'
import { announcedRules } from '../pace/hints.ts'
import { limitDocument } from '../report/limit-document.ts'
import { loadDocument } from '../report/load-document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { gaugesOfLoad } from '../report/metric-figures.ts'
import { jsonText } from '../store/files.ts'
import type { RunFolder } from '../store/folder.ts'
import { withOptions } from '../store/manifest.ts'
import { checkThresholds } from './judging.ts'
import { openMeter } from './metrics.ts'
import { foldJournals, rejectLostJournal } from './recorded-run.ts'
import { type Ended, pageOf, writeReports } from './reports.ts'
import type { Ledger } from './write-run.ts'

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
    const report = fold.finish(await foldJournals(folder, [fold]), stop)
    if (stop === undefined) rejectLostJournal(folder, report.run.sessions + report.calls.sent > 0)
    const document = limitDocument(report)
    const ended = await writeReports(folder, report, document, [
      [folder.limit, jsonText(report)],
      [folder.summaryMarkdown, renderMarkdown(document)],
    ])
    return { kind: 'limit', ...ended, report }
  }
  // Loaded late: the histogram library is slow to load.
  const { createLoadFold } = await import('../analysis/load/fold.ts')
  const fold = createLoadFold(manifest, announcedRules)
  const meter = await openMeter(manifest, folder.path)
  const report = fold.finish(await foldJournals(folder, [fold, meter, ...(ledger ? [ledger] : [])]), stop)
  if (stop === undefined) rejectLostJournal(folder, report.run.sessions + report.turns.total > 0)
  const compared = ledger?.compare(report.quota)
  const document = loadDocument(report, compared)
  const ended = await writeReports(folder, report, document, [
    [folder.load, jsonText(report)],
    [folder.summaryMarkdown, renderMarkdown(document)],
    [folder.page, pageOf(document)],
    [folder.loadMetrics, await meter.text(gaugesOfLoad(report), report.turns.notSent)],
  ])
  return { kind: 'load', ...ended, report, ledger: compared }
}
