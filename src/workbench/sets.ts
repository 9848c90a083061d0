// The question sets of the folder, which file pickers offer: tables whose header is one, not any CSV file.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AGAIN, type ListedRun } from '../domain/listed-run.ts'
import * as library from '../library/index.ts'
import { confined, isTable, pageNameOf, SHIPPED_SET } from './paths.ts'
import type { Served } from './served.ts'

const [MAX_DEPTH, MAX_TABLES] = [4, 500]

/**
 * Lists sets in byte order, then the shipped one: by their headers, and what a run has asked. Reads again
 * only what has changed.
 */
export function openSetList({ folder, work, watch }: Served): () => Promise<string[]> {
  let known = new Map<string, { readonly stamp: string; readonly isSet: boolean }>()
  return async () => {
    const now: typeof known = new Map()
    for (const path of tablesBelow(folder).slice(0, MAX_TABLES)) {
      const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
      const stamp = `${mtimeMs} ${size}`
      const before = known.get(path)
      now.set(
        path,
        before?.stamp === stamp ? before : { stamp, isSet: await library.holdsQuestions(path, work.columns) },
      )
    }
    known = now
    const runs = await watch.read()
    const sets: string[] = []
    for (const [path, { isSet }] of now)
      if (isSet || (await lastRunOf(folder, path, runs)) !== undefined)
        sets.push(pageNameOf(folder, path) ?? '')
    return [...sets.toSorted(), SHIPPED_SET]
  }
}

/** The headers that the config file names, else those that were chosen for the last run of this set. */
export async function columnsOf(
  { folder, work, watch }: Served,
  path: string,
  header: readonly string[] = [],
): Promise<string[]> {
  const named = await library.columnsOfSet(path, work.columns, header)
  if (named.length > 0) return named
  const last = await lastRunOf(folder, path, await watch.read())
  return library.columnsOfSet(path, last?.column ?? [], header)
}

async function lastRunOf(folder: string, path: string, runs: readonly ListedRun[]) {
  for (const run of runs) {
    // The names are known without a look into the run.
    const isMaybe =
      run.kind === 'run' && run.fault === null && run.sets.some((set) => basename(set) === basename(path))
    const asked = isMaybe ? await library.setsOfRun(confined(folder, run.path)) : undefined
    if (asked?.paths.includes(path) === true) return asked
  }
  return undefined
}

/** What a run or a comparison has written is no set, and neither is one that was made to ask again. */
function tablesBelow(folder: string, depth = 0): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  if (entries.some(({ name }) => name === 'run.json' || name === 'comparison.json')) return []
  return entries.flatMap((entry) => {
    const { name } = entry
    const path = join(folder, name)
    if (name.startsWith('.') || name === 'node_modules') return []
    if (entry.isDirectory()) return depth < MAX_DEPTH ? tablesBelow(path, depth + 1) : []
    return entry.isFile() && isTable(name) && !name.startsWith(AGAIN) ? [path] : []
  })
}
