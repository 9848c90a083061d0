// The run folder: its files, its name, its manifest; and where run folders are.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, extname, join, relative, sep } from 'node:path'
import * as z from 'zod'
import { FORMAT_VERSION, manifestSchema, type Manifest } from '../domain/manifest.ts'
import { compareTexts } from '../domain/text.ts'
import { makeFolder, readJson, writeJson } from './files.ts'
import { lockFolder } from './lock.ts'
import { hideKey } from './secrets.ts'
import { messageOf, optionError, UsageError } from './usage-error.ts'

export type RunFolder = ReturnType<typeof runFolder>

export function runFolder(path: string) {
  return {
    path,
    manifest: join(path, 'run.json'),
    /** The first one; each resume adds one beside it. */
    journal: join(path, 'journal.ndjson'),
    results: join(path, 'results.csv'),
    /** Every review that was merged into the run. */
    reviews: join(path, 'reviews.csv'),
    summary: join(path, 'summary.json'),
    /** Where the run has a baseline. */
    comparison: join(path, 'comparison.csv'),
    summaryMarkdown: join(path, 'summary.md'),
    junit: join(path, 'junit.xml'),
    page: join(path, 'report.html'),
    /** Of a load test, instead of `summary.json` and `results.csv`. */
    load: join(path, 'load.json'),
    prometheus: join(path, 'load.prom'),
    /** Of a search for the limit, instead of `summary.json`. */
    limit: join(path, 'limit.json'),
  } as const
}

/** `reports/2026-11-20T12-31-05Z-quickstart`; a name that is taken gets a number. */
export function defaultFolder(datasets: readonly string[], at: Date): string {
  const [first = 'run', ...others] = datasets.map((path) => basename(path, extname(path)))
  return freeFolder(at, `${shorten(first)}${others.length > 0 ? `+${others.length}` : ''}`)
}

/** `reports/<utc-time>-<name>`. */
export function freeFolder(at: Date, name: string): string {
  const path = join('reports', `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${name}`)
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${path}-${number}`
    if (!existsSync(candidate)) return candidate
  }
}

export const shorten = (name: string): string => name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60)

/** With `/` on every system. */
export const relativePath = (folder: string, path: string): string =>
  relative(folder, path).split(sep).join('/')

/** Throws UsageError for a folder that holds a run or any other file. */
export function rejectTaken(path: string): void {
  if (!existsSync(path)) return
  if (!statSync(path).isDirectory()) throw optionError('out', `${path} is not a folder; name another`)
  if (holdsOnlyStart(path)) return
  throw optionError(
    'out',
    isRun(path)
      ? `${path} already holds a run; name another folder`
      : `${path} is not empty; name a new folder, or an empty one`,
  )
}

/** Files of a start that was killed before it wrote `run.json`. */
function holdsOnlyStart(path: string): boolean {
  return readdirSync(path).every((name) => {
    const inside = join(path, name)
    return statSync(inside).isDirectory() ? holdsOnlyStart(inside) : /^lock|^run\.json\..*tmp$/.test(name)
  })
}

export const isRun = (path: string): boolean => existsSync(runFolder(path).manifest)

export const noRun = (path: string): UsageError =>
  new UsageError(
    existsSync(path)
      ? `${path} holds no run; name a folder with a run.json, as in reports/2026-11-20T12-31-05Z-quickstart`
      : `${path} does not exist; check the path and the current folder`,
  )

/** Maximum depth of a search: year, month, run and target fit. */
const DEEPEST = 5

/**
 * Run folders in a folder and below it, in byte order of their names, which are relative to it (`.` for itself). Skips what is below a run, hidden
 * folders and links. Throws UsageError if `root` is not a folder.
 */
export function findRunFolders(root: string) {
  if (!existsSync(root) || !statSync(root).isDirectory()) throw noRun(root)
  const found: { readonly path: string; readonly name: string }[] = []
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

export const writeManifest = (folder: RunFolder, manifest: Manifest): void =>
  writeJson(folder.manifest, manifest)

/** Version 0.1 grouped some options. */
const grouped = z.looseObject({
  options: z.looseObject({
    giveUpAfterMs: z.number(),
    timeoutMs: z.number(),
    gates: z.object({ thresholds: z.array(z.string()), passPolicy: z.string() }).optional(),
    comparison: z.record(z.string(), z.unknown()).nullable().optional(),
    selection: z.looseObject({ tags: z.array(z.string()) }),
  }),
})

function fromVersion01(recorded: unknown): unknown {
  const old = grouped.safeParse(recorded)
  if (!old.success) return recorded
  const { giveUpAfterMs, timeoutMs, gates, comparison, selection, ...rest } = old.data.options
  const { tags, ...chosen } = selection
  const options = {
    ...rest,
    ...comparison,
    ...chosen,
    tag: tags,
    giveUpAfter: giveUpAfterMs,
    timeout: timeoutMs,
    threshold: gates?.thresholds ?? [],
    passPolicy: gates?.passPolicy ?? 'all',
  }
  return { ...old.data, options }
}

/** Throws UsageError if the folder holds no run that this version can read. From here on the run's key is masked. */
export function readManifest(folder: RunFolder): Manifest {
  if (!isRun(folder.path)) throw noRun(folder.path)
  const damaged = (fault: string): UsageError =>
    new UsageError(
      `${folder.manifest} is damaged (${fault}): restore it from a copy, or start a new run in another folder`,
    )
  let json: unknown
  try {
    json = readJson(folder.manifest)
  } catch (error) {
    throw damaged(messageOf(error))
  }
  const version = z.object({ formatVersion: z.number() }).safeParse(json).data?.formatVersion
  if (version !== undefined && version > FORMAT_VERSION)
    throw new UsageError(
      `${folder.manifest} has format ${version}, which is newer than this version reads: update assist-harness`,
    )
  const parsed = manifestSchema.safeParse(fromVersion01(json))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw damaged(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  hideKey(parsed.data.target.apiKeyEnv)
  return parsed.data
}

/** Throws UsageError if the folder holds a load test or a search for the limit. `why`: what is not possible with it. */
export function rejectLoadTest({ load, findLimit }: Manifest, path: string, why: string): void {
  if (load !== null) throw new UsageError(`${path} holds a load test: ${why}`)
  if (findLimit !== undefined)
    throw new UsageError(`${path} holds a search for the organization's limit (load --find-limit): ${why}`)
}

/** Makes a folder and takes its lock. Throws UsageError if another process was faster. */
export function openNewFolder(path: string): { readonly folder: RunFolder; readonly unlock: () => void } {
  makeFolder(path)
  const unlock = lockFolder(path)
  try {
    rejectTaken(path)
  } catch (error) {
    unlock()
    throw error
  }
  return { folder: runFolder(path), unlock }
}
