// `compare --history`: earlier runs, which tell of a question that changed its grounding whether it did so before.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { plural } from '../../domain/digits.ts'
import { findRunFolders } from '../history/find-runs.ts'
import { UsageError } from '../../library/usage-error.ts'
import { openRun, type ComparedRun } from './compared-run.ts'

/** More would only cost time. */
const MOST_RUNS = 30
const MOST_NAMES = 10

/** ISO 8601 in UTC, so that the order of texts is that of times. */
export const startOf = ({ manifest }: ComparedRun): string => manifest.startedAt

/**
 * Ids of questions whose grounding differed between two of the earlier runs below `paths` (run folders, or folders of
 * them), oldest first, or within one of them. Runs that are compared, later ones, other organizations' and those that
 * cannot be read are passed over. Throws UsageError where a path is no folder.
 */
export async function turnedBefore(
  paths: readonly string[],
  compared: readonly ComparedRun[],
  newest: ComparedRun,
  groundedSources: readonly string[],
): Promise<ReadonlySet<string>> {
  const own = new Set(compared.map(({ manifest }) => manifest.runId))
  const values = new Map<string, Set<boolean>>()
  for (const run of await openEarlier(paths, own, newest)) {
    try {
      const { turns } = await run.read(run.questions, groundedSources)
      for (const { id, grounded } of turns)
        if (grounded !== undefined) values.set(id, (values.get(id) ?? new Set()).add(grounded))
    } finally {
      run.close()
    }
  }
  return new Set([...values].flatMap(([id, found]) => (found.size > 1 ? [id] : [])))
}

async function openEarlier(
  paths: readonly string[],
  own: ReadonlySet<string>,
  newest: ComparedRun,
): Promise<ComparedRun[]> {
  const folders = paths.flatMap((path) => {
    if (!existsSync(path) || !statSync(path).isDirectory())
      throw new UsageError(`--history ${path} is no folder of a run, nor one of runs`)
    return findRunFolders(path).folders.map((found) => realpathSync(found.path))
  })
  const runs: ComparedRun[] = []
  for (const folder of new Set(folders)) {
    const run = await openRun(folder).catch((error: unknown) => {
      if (error instanceof UsageError) return undefined
      throw error
    })
    if (run === undefined) continue
    const isEarlier = startOf(run) < startOf(newest) && !own.has(run.manifest.runId)
    if (isEarlier && run.manifest.target.organization === newest.manifest.target.organization) runs.push(run)
    else run.close()
  }
  const sorted = runs.toSorted((some, other) => (startOf(some) < startOf(other) ? -1 : 1))
  for (const run of sorted.slice(0, -MOST_RUNS)) run.close()
  return sorted.slice(-MOST_RUNS)
}

/** `changed`: ids of questions that lost or gained their grounding. */
export function describeTurned(changed: readonly string[], before: ReadonlySet<string>): string[] {
  const turned = changed.filter((id) => before.has(id))
  if (turned.length === 0) return []
  const more = turned.length > MOST_NAMES ? `, and ${turned.length - MOST_NAMES} more` : ''
  return [
    `${plural(turned.length, 'question')} of those that changed grounding did so in earlier runs: ${turned.slice(0, MOST_NAMES).join(', ')}${more}`,
  ]
}
