// Every call once: of a run that was copied one folder stands, and a shard stands in the run that it was merged into.
import { compareTexts } from '../../domain/text.ts'
import type { LeftOut } from '../../domain/history.ts'
import { byStart, type JoinableRun } from './recorded-run.ts'

export interface CountedOnce<R> {
  /** By start. */
  readonly runs: readonly R[]
  readonly doubled: readonly LeftOut[]
}

/** Of two folders with calls in common the one with more shards stands, then the one with more calls, then the first by name. */
export function countedOnce<R extends JoinableRun>(found: readonly R[]): CountedOnce<R> {
  const runs: R[] = []
  const doubled: LeftOut[] = []
  const folderOf = new Map<string, string>()
  for (const run of [...found].sort(mostFirst)) {
    const { folder, parts } = run
    const { runId } = run.manifest
    const copied = folderOf.get(runId)
    const other = copied ?? parts.flatMap((id) => folderOf.get(id) ?? [])[0]
    if (other === undefined) {
      runs.push(run)
      for (const id of [runId, ...parts]) folderOf.set(id, folder)
      continue
    }
    const isCopy = copied !== undefined && run.shard === null
    doubled.push({
      folder,
      kind: isCopy ? 'copy' : 'part',
      reason: isCopy
        ? `a copy of ${other}: it has the same run id`
        : run.shard === null
          ? `its shards stand in ${other}, too`
          : `shard ${run.shard} of ${other}, which has its figures`,
    })
  }
  return { runs: runs.sort(byStart), doubled }
}

const mostFirst = (some: JoinableRun, other: JoinableRun): number =>
  other.parts.length - some.parts.length ||
  other.summary.quota.attempts - some.summary.quota.attempts ||
  compareTexts(some.folder, other.folder)
