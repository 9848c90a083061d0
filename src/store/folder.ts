// The run folder: its files, its name, its start; and where run folders are.
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { basename, extname, join, relative, resolve, sep } from 'node:path'
import { compareTexts } from '../domain/text.ts'
import { diskCause, makeFolder, PRIVATE, readJson } from './files.ts'
import { type Lock, lockFolder } from './lock.ts'
import { messageOf, optionError, UsageError } from '../options/faults.ts'

export type RunFolder = ReturnType<typeof runFolder>

export function runFolder(path: string) {
  return {
    path,
    manifest: join(path, 'run.json'),
    journal: join(path, 'journal.ndjson'),
    results: join(path, 'results.csv'),
    workbook: join(path, 'results.xlsx'),
    articles: join(path, 'articles.csv'),
    reviews: join(path, 'reviews.csv'),
    summary: join(path, 'summary.json'),
    summaryMarkdown: join(path, 'summary.md'),
    junit: join(path, 'junit.xml'),
    page: join(path, 'report.html'),
    metrics: join(path, 'run.prom'),
    /** Replaces `summary.json` and `results.csv` for a load test. */
    load: join(path, 'load.json'),
    loadMetrics: join(path, 'load.prom'),
    /** Replaces `summary.json` for a search for the limit. */
    limit: join(path, 'limit.json'),
  } as const
}

/** Names a folder such as `reports/2026-11-20T12-31-05Z-quickstart`; a name that is taken gets a number. */
export function defaultFolder(datasets: readonly string[], at: Date): string {
  const [first = 'run', ...others] = datasets.map((path) => basename(path, extname(path)))
  return freeFolder(at, `${plainName(first)}${others.length > 0 ? `+${others.length}` : ''}`)
}

export function freeFolder(at: Date, name: string): string {
  const path = join('reports', `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${name}`)
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${path}-${number}`
    if (!existsSync(candidate)) return candidate
  }
}

export const plainName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60)

export const relativePath = (folder: string, path: string): string =>
  relative(folder, path).split(sep).join('/')

/**
 * Throws UsageError with `missing` without a file, and for one that is named twice, which would cost twice.
 */
export function rejectDuplicates(paths: readonly string[], missing: string): void {
  if (paths.length === 0) throw new UsageError(missing)
  const whole = paths.map((path) => resolve(path))
  const twice = paths.find((_, index) => whole.indexOf(whole[index] ?? '') < index)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each file once`)
}

/** Throws UsageError for a folder that holds a run or any other file, those of `targets` included. */
export function rejectTaken(path: string, targets: readonly string[] = []): void {
  if (!existsSync(path)) return
  if (!statSync(path).isDirectory()) throw optionError('out', `${path} is not a folder; name another`)
  if (holdsOnlyStart(path, targets)) return
  throw optionError(
    'out',
    isRun(path)
      ? `${path} already holds a run; name another folder`
      : `${path} is not empty; name a new folder, or an empty one`,
  )
}

export function isComparison(path: string): boolean {
  try {
    const { runs } = readJson(join(path, 'comparison.json')) as { readonly runs?: unknown }
    return Array.isArray(runs)
  } catch {
    return false
  }
}

/** Recognizes what a start leaves that is killed before it writes `run.json` or `comparison.json`. */
function holdsOnlyStart(path: string, targets: readonly string[]): boolean {
  return entriesOf(path).every((entry) =>
    entry.isDirectory()
      ? targets.includes(entry.name) && holdsOnlyStart(join(path, entry.name), [])
      : /^(lock|(run|comparison)\.json\.([\da-f]{12}\.)?tmp)$/.test(entry.name),
  )
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${diskCause(error)}`)
  }
}

export const isRun = (path: string): boolean => existsSync(runFolder(path).manifest)

export function noRun(path: string): UsageError {
  if (!existsSync(path))
    return new UsageError(`${path} does not exist; check the path and the current folder`)
  const [below] = statSync(path).isDirectory() ? findRunFolders(path) : []
  return new UsageError(
    below === undefined
      ? `${path} holds no run; name a folder with a run.json, as in reports/2026-11-20T12-31-05Z-quickstart`
      : `${path} is a folder of runs; name one of them, as in ${below.path}`,
  )
}

/** Lets year, month, run and target fit. */
const MAX_DEPTH = 5

/** Skips `lost+found`, too, which the file system keeps in the root of a volume. */
const FOREIGN = ['node_modules', 'lost+found']

/**
 * Finds run folders, in byte order of their names, which are relative to `root` (`.` for itself). Skips what
 * is below a run, hidden folders and links. Throws UsageError if `root` is not a folder.
 */
export const findRunFolders = (root: string) => findFolders(root, ['run.json'])

export const findReportFolders = (root: string) => findFolders(root, ['run.json', 'comparison.json'])

function findFolders(root: string, marks: readonly string[]) {
  if (!existsSync(root) || !statSync(root).isDirectory()) throw noRun(root)
  const found: { readonly path: string; readonly name: string; readonly fault?: string }[] = []
  const search = (path: string, name: string, depth: number): void => {
    let entries: readonly Dirent[]
    try {
      entries = entriesOf(path)
    } catch (error) {
      if (name === '.') throw error
      return void found.push({ path, name, fault: messageOf(error) })
    }
    if (entries.some((entry) => marks.includes(entry.name))) return void found.push({ path, name })
    if (depth === MAX_DEPTH) return
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || FOREIGN.includes(entry.name)) continue
      search(join(path, entry.name), name === '.' ? entry.name : `${name}/${entry.name}`, depth + 1)
    }
  }
  search(root, '.', 0)
  return found.toSorted((some, other) => compareTexts(some.name, other.name))
}

/** Lists the runs of several targets, directly below the folder: nothing deeper is sent by accident. */
export const runsIn = (path: string): string[] =>
  findRunFolders(path).flatMap(({ path: run, name, fault }) => {
    if (name.includes('/')) return []
    if (fault !== undefined) throw new UsageError(fault)
    return [run]
  })

/** Makes a private folder and takes its lock. Throws UsageError if another process was faster. */
export async function openNewFolder(
  path: string,
  note: (text: string) => void,
): Promise<{ readonly folder: RunFolder; readonly lock: Lock }> {
  makeFolder(path, PRIVATE)
  const lock = await lockFolder(path, note)
  try {
    rejectTaken(path)
  } catch (error) {
    lock.release()
    throw error
  }
  return { folder: runFolder(path), lock }
}
