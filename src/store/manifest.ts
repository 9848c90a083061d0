// Reads and writes `run.json`, the manifest of a run.
import * as z from 'zod'
import { FORMAT_VERSION, manifestSchema, type Manifest, type RunManifest } from '../options/manifest.ts'
import { jsonText, readJson, writeWhole } from './files.ts'
import { isRun, noRun, type RunFolder } from './folder.ts'
import { messageOf, UsageError } from '../options/faults.ts'

export const writeManifest = (folder: RunFolder, manifest: Manifest): void =>
  writeWhole(folder.manifest, jsonText(manifest))

/** Version 0.2 told load tests and searches by their plans. */
function withKind(recorded: unknown): unknown {
  if (typeof recorded !== 'object' || recorded === null || 'kind' in recorded) return recorded
  const { load = null, findLimit, ...common } = recorded as Record<string, unknown>
  if (load !== null) return { kind: 'load', ...common, load }
  return findLimit === undefined ? { kind: 'run', ...common } : { kind: 'search', ...common, findLimit }
}

const versionsSchema = z.object({ formatVersion: z.number(), harnessVersion: z.string() }).partial()

/** Throws UsageError if the folder holds no run that this version can read. */
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
