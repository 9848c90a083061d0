// Nights as the analysis gets them: read as the program reads them, without folders.
import type { RecordedLoad, RecordedRun } from '../../src/analysis/history/recorded-run.ts'
import { recordedSummarySchema } from '../../src/domain/history.ts'
import { nightManifest, nightSummary, type Night } from './nights.ts'

export function recordedNight(
  night: Night,
  more: Partial<Pick<RecordedRun, 'folder' | 'shard' | 'parts' | 'hasPage'>> = {},
): RecordedRun {
  const manifest = nightManifest(night)
  return {
    folder: manifest.runId,
    manifest,
    summary: recordedSummarySchema.parse(nightSummary(night)),
    hasPage: false,
    shard: null,
    parts: [],
    ...more,
  }
}

export function recordedLoad(night: Night): RecordedLoad {
  const { runId } = nightManifest(night)
  const { quota } = nightSummary(night)
  return {
    folder: runId,
    manifest: nightManifest(night),
    usage: { formatVersion: 1, run: { quota: night.quota ?? null }, quota },
  }
}
