// What is new in a run, and was there before: earlier runs beside it recorded what changed in them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { type Change, type ChangeKind, PROBLEMS } from '../domain/changes.ts'
import type { Comparison } from '../domain/comparison.ts'
import type { ListedQuestion } from '../domain/summary.ts'
import { readJson } from '../store/files.ts'
import { earlierRuns } from './earlier-reviews.ts'
import type { RecordedRun } from './recorded-run.ts'

const recordedChangesSchema = z.object({
  candidates: z.array(
    z.object({
      changes: z.array(z.object({ id: z.string(), message: z.string(), kinds: z.array(z.string()) })),
    }),
  ),
})

const hasKind = (kinds: readonly string[], wanted: readonly ChangeKind[]): boolean =>
  wanted.some((kind) => kinds.includes(kind))

const keyOf = ({ id, message }: ListedQuestion): string => `${id}\n${message}`

/**
 * A problem is back again if an earlier comparison says that it began or ended there. If it began in the very
 * last run, it has not been away since: it is still new.
 */
export function backAgain(
  { path, manifest }: RecordedRun,
  { candidates: [{ changes }] }: Comparison,
): Change[] {
  const isNew = ({ kinds }: Change): boolean => PROBLEMS.some(({ begins }) => hasKind(kinds, begins))
  const open = new Map(changes.filter(isNew).map((change) => [keyOf(change), change]))
  if (open.size === 0) return []
  const found = new Set<Change>()
  const fileOf = (run: string): string => join(run, 'comparison.json')
  for (const [index, run] of earlierRuns(path, manifest, (other) => existsSync(fileOf(other))).entries())
    for (const before of changesIn(fileOf(run))) {
      const change = open.get(keyOf(before))
      const problems = PROBLEMS.filter(({ begins }) => hasKind(change?.kinds ?? [], begins))
      if (change === undefined) continue
      const isStill = index === 0 && problems.some(({ begins }) => hasKind(before.kinds, begins))
      const wasThere = problems.some(({ begins, ends }) => hasKind(before.kinds, [...begins, ...ends]))
      if (wasThere && !isStill) found.add(change)
      if (wasThere) open.delete(keyOf(before))
    }
  return changes.filter((change) => found.has(change))
}

/** A file that another version wrote, or half a file, is no history. */
function changesIn(file: string) {
  try {
    return recordedChangesSchema.parse(readJson(file)).candidates.flatMap(({ changes }) => changes)
  } catch {
    return []
  }
}
