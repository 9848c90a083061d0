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
import { withOptions } from '../store/recorded-options.ts'
import { checkThresholds } from './judging.ts'
import { finalMetrics } from './metrics.ts'
import { foldJournals, rejectLostJournal } from './recorded-run.ts'
import { type CheckLedger, type Ended, endedAs, pageOf, writeReports } from './reports.ts'

export interface LoadResult extends Ended {
  readonly kind: 'load'
  readonly verdict: LoadReport['verdict']
  /** The contents of `load.json`. */
  readonly report: LoadReport
  readonly ledger: LedgerResult | undefined
}
export interface LimitResult extends Ended {
  readonly kind: 'limit'
  readonly verdict: LimitReport['verdict']
  /** The contents of `limit.json`. */
  readonly report: LimitReport
}

interface Recorded<Manifest = LoadManifest | SearchManifest> {
  readonly folder: RunFolder
  readonly manifest: Manifest
  /** Says why it ended, in case the journal could not record it. */
  readonly stop?: Stop | undefined
  readonly checkLedger?: CheckLedger | undefined
}

/** Throws UsageError if its journal is lost. */
export async function concludeLoad(test: Recorded): Promise<LoadResult | LimitResult> {
  const { manifest } = test
  return manifest.kind === 'load'
    ? concludeTest({ ...test, manifest })
    : concludeSearch({ ...test, manifest })
}

/** Throws UsageError for options that do not apply to a load test. */
export async function reportLoad(
  folder: RunFolder,
  recorded: LoadManifest | SearchManifest,
  settings: RunSettings,
  checkLedger: CheckLedger | undefined,
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
  return concludeLoad({ folder, manifest, checkLedger })
}

async function concludeSearch({ folder, manifest, stop }: Recorded<SearchManifest>): Promise<LimitResult> {
  const fold = createSearchFold(manifest, announcedRules)
  const report = fold.finish(await foldJournals(folder, fold), stop)
  if (stop === undefined) rejectLostJournal(folder, report.run.sessions + report.calls.sent > 0)
  const document = limitDocument(report)
  const unwritten = await writeReports([
    [folder.limit, jsonText(report)],
    [folder.summaryMarkdown, renderMarkdown(document)],
  ])
  return { kind: 'limit', ...endedAs(folder, report, document, unwritten), report }
}

async function concludeTest({
  folder,
  manifest,
  stop,
  checkLedger,
}: Recorded<LoadManifest>): Promise<LoadResult> {
  // Loaded late: the histogram library is slow to load.
  const { createLoadFold } = await import('../analysis/load/fold.ts')
  const fold = createLoadFold(manifest, announcedRules)
  const report = fold.finish(await foldJournals(folder, fold), stop)
  if (stop === undefined) rejectLostJournal(folder, report.run.sessions + report.turns.total > 0)
  const ledger = checkLedger?.(report.quota)
  const document = loadDocument(report, ledger)
  const { notSent } = report.turns
  const metrics = await finalMetrics(folder, manifest, gaugesOfLoad(report), notSent)
  const unwritten = await writeReports([
    [folder.load, jsonText(report)],
    [folder.summaryMarkdown, renderMarkdown(document)],
    [folder.page, pageOf(document)],
    [folder.loadMetrics, metrics],
  ])
  return { kind: 'load', ...endedAs(folder, report, document, unwritten), report, ledger }
}
