// Where runs stand in a folder: in it, and in the folders below it.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { compareTexts } from '../domain/text.ts'
import { UsageError } from './usage-error.ts'

/** Runs of several targets stand one deeper than others; years and months above them, and there is room left. */
const DEEPEST = 5

export interface FoundFolder {
  /** As it is opened from here. */
  readonly path: string
  /** From the folder that was searched, with `/`; `.` for that folder itself. */
  readonly name: string
}

/** In byte order of their names. Below a run nothing is searched, nor in hidden folders and links. Throws UsageError for no folder. */
export function findRunFolders(root: string): FoundFolder[] {
  if (!existsSync(root))
    throw new UsageError(`${root} is not there: name the folder in which the run folders stand`)
  if (!statSync(root).isDirectory())
    throw new UsageError(`${root} is a file: name the folder in which the run folders stand`)
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
