// What a history is made from: runs and other use of the quota, as their folders hold them.
import { compareTexts } from '../../domain/text.ts'
import type { RecordedSummary, RecordedUsage } from '../../domain/history.ts'
import type { Manifest } from '../../domain/manifest.ts'

interface Recorded {
  /** From the folder of the history, with `/`. */
  readonly folder: string
  /** `startedAt` in UTC, ISO 8601. */
  readonly manifest: Manifest
}

export interface RecordedRun extends Recorded {
  readonly summary: RecordedSummary
  readonly hasPage: boolean
  /** Which part of how many, like `2/4`; null for a whole run. */
  readonly shard: string | null
  /** Ids of the runs that were joined to this one; none for others. */
  readonly parts: readonly string[]
}

/** What tells whether the calls of a run stand in another one, too. */
export interface JoinableRun extends Pick<RecordedRun, 'folder' | 'manifest' | 'shard' | 'parts'> {
  readonly summary: Pick<RecordedSummary, 'quota'>
}

/** A load test, or a search for the limit. */
export interface RecordedLoad extends Recorded {
  readonly usage: RecordedUsage
}

/** By start; at one time by id, so that the order is always the same. */
export function byStart(some: Recorded, other: Recorded): number {
  return (
    compareTexts(some.manifest.startedAt, other.manifest.startedAt) ||
    compareTexts(some.manifest.runId, other.manifest.runId) ||
    compareTexts(some.folder, other.folder)
  )
}
