// Finds run folders in a folder and below it.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { compareTexts } from '../domain/text.ts'
import { UsageError } from './usage-error.ts'

/** Enough for year, month, run and target. */
const DEEPEST = 5

export interface FoundFolder {
  /** To open it from here. */
  readonly path: string
  /** Relative to the searched folder, with `/`; `.` for that folder itself. */
  readonly name: string
}

/** In byte order of their names. Skips what is below a run, hidden folders and links. Throws UsageError where `root` is no folder. */
export function findRunFolders(root: string): FoundFolder[] {
  if (!existsSync(root))
    throw new UsageError(`${root} does not exist; name the folder that holds the run folders`)
  if (!statSync(root).isDirectory())
    throw new UsageError(`${root} is a file; name the folder that holds the run folders`)
  const found: FoundFolder[] = []
  const search = (path: string, name: string, depth: number): void => {
    const entries = readdirSync(path, { withFileTypes: true })
    if (entries.some((entry) => entry.name === 'run.json')) return void found.push({ path, name })
    if (depth === DEEPEST) return
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue
      search(join(path, entry.name), name === '.' ? entry.name : `${name}/${entry.name}`, depth + 1)
    }
  }
  search(root, '.', 0)
  return found.toSorted((some, other) => compareTexts(some.name, other.name))
}
