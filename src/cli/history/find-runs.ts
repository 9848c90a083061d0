// Where runs stand in a folder: in it, and in the folders below it.
import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { compareTexts } from '../../domain/compare-texts.ts'

/** Runs of several targets stand one deeper than others; years and months above them, and there is room left. */
const DEEPEST = 5
/** What a run folder has, however little of it was written. */
const MARKS = new Set(['run.json', 'journal.ndjson'])

export interface FoundFolder {
  /** As it is opened from here. */
  readonly path: string
  /** From the folder that was searched, with `/`; `.` for that folder itself. */
  readonly name: string
  readonly files: ReadonlySet<string>
}

export interface FoundFolders {
  /** In byte order of their names. A folder that a link leads to again is there once, under its own name. */
  readonly folders: readonly FoundFolder[]
  /** Folders that could not be read, with what the system says; folders so deep that they were not looked into. */
  readonly closed: readonly { readonly name: string; readonly reason: string }[]
}

/** Below a run nothing is searched, nor in hidden folders and installed packages. Throws where `root` cannot be read. */
export function findRunFolders(root: string): FoundFolders {
  const folders: FoundFolder[] = []
  const closed: { name: string; reason: string }[] = []
  const known = new Set<string>()
  const search = (path: string, name: string, depth: number): void => {
    const real = realpathSync(path)
    if (known.has(real)) return
    known.add(real)
    const entries = readdirSync(path, { withFileTypes: true })
    const files = new Set(entries.map((entry) => entry.name))
    if ([...MARKS].some((mark) => files.has(mark))) return void folders.push({ path, name, files })
    const inner = entries.filter((entry) => isSearched(entry, path))
    if (depth === DEEPEST && inner.length > 0)
      return void closed.push({ name, reason: `not looked into: more than ${DEEPEST} folders deep` })
    for (const entry of inner.sort(ownFirst)) {
      const below = name === '.' ? entry.name : `${name}/${entry.name}`
      try {
        search(join(path, entry.name), below, depth + 1)
      } catch (error) {
        closed.push({ name: below, reason: error instanceof Error ? error.message : 'cannot be read' })
      }
    }
  }
  search(root, '.', 0)
  const order = (some: { name: string }, other: { name: string }): number =>
    compareTexts(some.name, other.name)
  return { folders: folders.sort(order), closed: closed.sort(order) }
}

function isSearched(entry: Dirent, within: string): boolean {
  if (entry.name.startsWith('.') || entry.name === 'node_modules') return false
  if (entry.isDirectory()) return true
  if (!entry.isSymbolicLink()) return false
  // A link to nothing is no folder.
  return statSync(join(within, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Links last, so that a run is called by its own name, and not `latest`. */
const ownFirst = (some: Dirent, other: Dirent): number =>
  Number(some.isSymbolicLink()) - Number(other.isSymbolicLink()) || compareTexts(some.name, other.name)
