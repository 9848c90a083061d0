// `run.json`, the manifest of a run: read and written, with new values for options that may change.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { partOfBudget } from '../domain/shard.ts'
import {
  FORMAT_VERSION,
  type Manifest,
  manifestSchema,
  quotaOf,
  type RecordedOptions,
  recordedOptions,
  type RunManifest,
} from '../options/manifest.ts'
import { optionNames, type RunSettings } from '../options/settings.ts'
import { jsonText, readJson, writeWhole } from './files.ts'
import { isRun, noRun, relativePath, type RunFolder } from './folder.ts'
import { messageOf, UsageError } from '../options/faults.ts'

export const writeManifest = (folder: RunFolder, manifest: Manifest): void =>
  writeWhole(folder.manifest, jsonText(manifest))

/** Adds the kind; version 0.2 told load tests and searches by their plans. */
function withKind(recorded: unknown): unknown {
  if (typeof recorded !== 'object' || recorded === null || 'kind' in recorded) return recorded
  const { load = null, findLimit, ...common } = recorded as Record<string, unknown>
  if (load !== null) return { kind: 'load', ...common, load }
  return findLimit === undefined ? { kind: 'run', ...common } : { kind: 'search', ...common, findLimit }
}

const versionsSchema = z.object({ formatVersion: z.number(), harnessVersion: z.string() }).partial()

/** Reads the manifest. Throws UsageError if the folder holds no run that this version can read. */
export function readManifest(folder: RunFolder): Manifest {
  if (!isRun(folder.path)) throw noRun(folder.path)
  const damaged = (fault: string): UsageError =>
    new UsageError(
      `${folder.manifest} is damaged (${fault}): restore it from a copy, ` +
        'or start a new run in another folder',
    )
  let json: unknown
  try {
    json = readJson(folder.manifest)
  } catch (error) {
    throw damaged(messageOf(error))
  }
  const { formatVersion = 0, harnessVersion = '' } = versionsSchema.safeParse(json).data ?? {}
  if (formatVersion > FORMAT_VERSION)
    throw new UsageError(
      `${folder.manifest} has format ${formatVersion}, which is newer than this version reads: ` +
        'update assist-harness',
    )
  if (harnessVersion.startsWith('0.1.'))
    throw new UsageError(
      `${folder.manifest} is from version ${harnessVersion}, which is too old: read it with version 0.2`,
    )
  const parsed = manifestSchema.safeParse(withKind(json))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw damaged(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  return parsed.data
}

/** Throws UsageError, with why it needs a run, if the folder holds a load test or a search for the limit. */
export function requireRun(manifest: Manifest, path: string, why: string): RunManifest {
  if (manifest.kind === 'run') return manifest
  const what =
    manifest.kind === 'load' ? 'a load test' : "a search for the organization's limit (load --find-limit)"
  throw new UsageError(`${path} holds ${what}: ${why}`)
}

/** Records the options of a new run, without a budget; paths are relative to the run folder. */
export const recordOptions = (settings: RunSettings, folder: string, target: string): RecordedOptions =>
  recordedOptions.parse({ ...recordedForm(settings, folder, target), maxCalls: null })

/** Sets `maxCalls`, which counts for the whole run, also in a shard; null for no limit. */
export function withBudget<M extends Manifest>(manifest: M, maxCalls: number | null): M {
  const { shard, options } = manifest
  const budget = maxCalls === null || shard === undefined ? maxCalls : partOfBudget(maxCalls, shard)
  return { ...manifest, options: { ...options, maxCalls: budget } }
}

export function withOptions<M extends Manifest>(
  manifest: M,
  settings: RunSettings,
  folder: string,
  phases: readonly ('pace' | 'judge')[],
): M {
  const mayChange = optionNames(({ phase }) => phases.some((each) => each === phase))
  const { maxCalls, ...changes } = Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => mayChange.has(name) && value !== undefined),
  ) as RunSettings
  const options = recordedOptions.parse({
    ...manifest.options,
    ...recordedForm(changes, folder, manifest.target.name),
  })
  const changed = { ...manifest, options }
  return maxCalls === undefined ? changed : withBudget(changed, maxCalls)
}

/** Records a missing baseline, too, instead of the old one: the user was told that nothing is compared. */
function recordedForm({ quota, baseline, ...settings }: RunSettings, folder: string, target: string) {
  const form = {
    ...settings,
    ...(quota !== undefined && { quota: quotaOf(quota, null) }),
    ...(baseline !== undefined && {
      baseline: existsSync(baseline) ? baselineFolder(baseline, target) : null,
    }),
  }
  return mapPaths(form, (path) => relativePath(folder, path))
}

const PATHS = ['articles', 'synonyms', 'decisions', 'baseline', 'clientCert', 'clientKey'] as const

/** Maps the paths, which in a manifest are relative to the run folder. */
export function mapPaths<T extends { readonly [Name in (typeof PATHS)[number]]?: string | null | undefined }>(
  options: T,
  map: (path: string) => string,
): T {
  const paths = PATHS.flatMap((name) => {
    const path = options[name]
    return typeof path === 'string' ? [[name, map(path)]] : []
  })
  return { ...options, ...Object.fromEntries(paths) }
}

/** Names a target's own baseline, in a folder named after it, if there are several. */
export function baselineFolder(baseline: string, target: string): string {
  const ofTarget = join(baseline, target)
  return !isRun(baseline) && isRun(ofTarget) ? ofTarget : baseline
}
