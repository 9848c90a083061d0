// `report`: fold, render and conclude again, from a recorded folder alone.
import { type CommandSettings, readOptions } from './options.ts'
import { checkBaseline } from './baseline.ts'
import { concludeRun, type RunResult } from './conclude.ts'
import { createEventSink, type RunEvent } from './events.ts'
import { openManifest, openRecorded } from './fold.ts'
import { openLedger } from './ledger.ts'
import { checkThresholds, withJudgeOptions, withoutMissingBaseline } from './manifest.ts'
import { loadReviews } from './reviews.ts'
import { runFolder } from './run-folder.ts'
import { reportLoad, type LimitResult, type LoadResult } from './load.ts'

export interface ReportOptions extends CommandSettings<'report'> {
  /** Folder of a run, a load test, or a search for the limit. */
  readonly run: string
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

/** Rejects with UsageError, and writes nothing, where the folder holds nothing to report. */
export async function report({
  run: path,
  onEvent,
  ...written
}: ReportOptions): Promise<RunResult | LoadResult | LimitResult> {
  const settings = readOptions('report', written)
  const { note, notes } = createEventSink(onEvent)
  const folder = runFolder(path)
  const manifest = openManifest(path)
  if (manifest.load !== null || manifest.findLimit !== undefined)
    return reportLoad(folder, manifest, settings, await openLedger(settings.ledger, folder, manifest))
  const { baseline } = manifest.options
  const there = withoutMissingBaseline(settings, baseline, note)
  const recorded = await openRecorded(path)
  const imported = await loadReviews(settings.reviews, 'written', note)
  await checkBaseline(there, [manifest.target.name], undefined)
  const judged = withJudgeOptions(manifest, there, path)
  const tags = new Set(recorded.index.questions.flatMap((question) => question?.tags ?? []))
  checkThresholds(judged.options.threshold, tags)
  const ledger = await openLedger(settings.ledger, folder, manifest)
  const excel = settings.excel ?? false
  const result = await concludeRun({ ...recorded, manifest: judged }, { excel, imported, ledger, note })
  return { ...result, notes }
}
