// The question sets of the folder, which file pickers offer: tables whose header is one, not any CSV file.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AGAIN } from '../domain/listed-run.ts'
import * as library from '../library/index.ts'
import { isTable, pageNameOf, SHIPPED_SET } from './paths.ts'

const [MAX_DEPTH, MAX_TABLES] = [4, 500]

/** Lists sets in byte order, then the shipped one. Reads again only what has changed. */
export function openSetList(folder: string, column: readonly string[]): () => Promise<string[]> {
  let known = new Map<string, { readonly stamp: string; readonly isSet: boolean }>()
  return async () => {
    const now: typeof known = new Map()
    for (const path of tablesBelow(folder).slice(0, MAX_TABLES)) {
      const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
      const stamp = `${mtimeMs} ${size}`
      const before = known.get(path)
      now.set(
        path,
        before?.stamp === stamp ? before : { stamp, isSet: await library.holdsQuestions(path, column) },
      )
    }
    known = now
    const sets = [...now].flatMap(([path, { isSet }]) => (isSet ? [pageNameOf(folder, path) ?? ''] : []))
    return [...sets.toSorted(), SHIPPED_SET]
  }
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
