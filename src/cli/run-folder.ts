// The folder of a run: where it is made, and what stands in it.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { FORMAT_VERSION, manifestSchema, type Manifest } from '../domain/manifest.ts'
import { hideKey } from './environment.ts'
import { makeFolders, parseJson, writeWhole } from './files.ts'
import { describeNoRun } from './file-of-run.ts'
import { UsageError } from '../library/usage-error.ts'

export interface RunFolder {
  readonly path: string
  readonly manifest: string
  readonly journal: string
  readonly results: string
  /** Every review that was merged into the run; absent where there is none. */
  readonly reviews: string
  readonly summary: string
  /** Where the run has a baseline. */
  readonly comparison: string
  readonly summaryMarkdown: string
  readonly junit: string
  readonly page: string
  /** Of a load test, in the place of `summary.json` and `results.csv`. */
  readonly load: string
  readonly prometheus: string
  /** Of a search for the limit, in the place of `summary.json`. */
  readonly limit: string
}

export function runFolder(path: string): RunFolder {
  return {
    path,
    manifest: join(path, 'run.json'),
    journal: join(path, 'journal.ndjson'),
    results: join(path, 'results.csv'),
    reviews: join(path, 'reviews.csv'),
    summary: join(path, 'summary.json'),
    comparison: join(path, 'comparison.csv'),
    summaryMarkdown: join(path, 'summary.md'),
    junit: join(path, 'junit.xml'),
    page: join(path, 'report.html'),
    load: join(path, 'load.json'),
    prometheus: join(path, 'load.prom'),
    limit: join(path, 'limit.json'),
  }
}

/** `reports/2026-11-20T12-31-05Z-quickstart`, with a number behind it where that is taken. */
export function defaultFolder(datasets: readonly string[], startedAt: Date): string {
  const time = `${startedAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  const [first = 'run', ...others] = datasets.map((path) => basename(path, extname(path)))
  const name = first.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60)
  const path = join('reports', `${time}-${name}${others.length > 0 ? `+${others.length}` : ''}`)
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${path}-${number}`
    if (!existsSync(candidate)) return candidate
  }
}

/** Refuses a folder that holds a run, and one that holds anything else: it may be somebody's. */
export function refuseTaken(path: string): void {
  if (!existsSync(path)) return
  let names: string[]
  try {
    names = readdirSync(path)
  } catch {
    throw new UsageError(`--out ${path} is not a folder; name another`)
  }
  if (names.includes('run.json') || names.includes('journal.ndjson'))
    throw new UsageError(`--out ${path} holds a run already; name another folder`)
  if (!holdsOnlyStart(path, names))
    throw new UsageError(`--out ${path} is not empty; name a new folder, or an empty one`)
}

/** What a start that was killed before it wrote `run.json` leaves: locks, a beginning of the manifest, a folder for each target. */
function holdsOnlyStart(path: string, names: readonly string[]): boolean {
  return names.every((name) => {
    if (name.startsWith('lock') || /^run\.json\.\d+\.tmp$/.test(name)) return true
    const inside = join(path, name)
    return statSync(inside).isDirectory() && holdsOnlyStart(inside, readdirSync(inside))
  })
}

export function makeFolder(path: string): RunFolder {
  try {
    makeFolders(path)
  } catch (error) {
    throw new UsageError(
      `--out ${path} cannot be made (${error instanceof Error ? error.message : 'unknown'})`,
    )
  }
  return runFolder(path)
}

export function writeManifest(folder: RunFolder, manifest: Manifest): void {
  writeWhole(folder.manifest, [`${JSON.stringify(manifest, null, 2)}\n`])
}

/**
 * The key that the run was asked with is hidden from here on, where its variable still holds it. Throws UsageError where the
 * folder holds no run that this version can read.
 */
export function readManifest(folder: RunFolder): Manifest {
  const json = parseManifest(folder)
  const version =
    typeof json === 'object' && json !== null && 'formatVersion' in json ? json.formatVersion : undefined
  if (typeof version === 'number' && version > FORMAT_VERSION)
    throw new UsageError(
      `${folder.manifest} has format ${version}, newer than this harness reads; update the harness`,
    )
  const parsed = manifestSchema.safeParse(json)
  if (parsed.success) {
    hideKey(parsed.data.target.apiKeyEnv)
    return parsed.data
  }
  const [issue] = parsed.error.issues
  throw new UsageError(describeDamage(folder, `${issue?.path.join('.')}: ${issue?.message}`))
}

/** Undefined where the folder holds no run that can be read. */
export function manifestAt(path: string): Manifest | undefined {
  try {
    return readManifest(runFolder(path))
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function parseManifest(folder: RunFolder): unknown {
  let text: string
  try {
    text = readFileSync(folder.manifest, 'utf8')
  } catch (error) {
    throw new UsageError(
      describeNoRun(folder.path) ??
        `${folder.path} holds no run: run.json cannot be read (${error instanceof Error ? error.message : 'unknown'})`,
    )
  }
  try {
    return parseJson(text)
  } catch (error) {
    throw new UsageError(describeDamage(folder, error instanceof Error ? error.message : 'not JSON'))
  }
}

/** The manifest alone cannot be made again: it says whom the run asks, and how. */
function describeDamage(folder: RunFolder, fault: string): string {
  const journal = existsSync(folder.journal)
    ? `; ${folder.journal} still holds every answer that was recorded`
    : ''
  return `${folder.manifest} is damaged (${fault})${journal}: put run.json back from a copy, or start a new run in another folder`
}
