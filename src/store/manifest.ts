// Reads and writes `run.json`, the manifest of a run.
import * as z from 'zod'
import { FORMAT_VERSION, manifestSchema, type Manifest } from '../options/manifest.ts'
import { readJson, writeJson } from './files.ts'
import { isRun, noRun, type RunFolder } from './folder.ts'
import { messageOf, UsageError } from '../options/faults.ts'

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

/** Throws UsageError if the folder holds no run that this version can read. */
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
  return parsed.data
}

/** Throws UsageError if the folder holds a load test or a search for the limit. `why`: what is not possible with it. */
export function rejectLoadTest({ load, findLimit }: Manifest, path: string, why: string): void {
  if (load !== null) throw new UsageError(`${path} holds a load test: ${why}`)
  if (findLimit !== undefined)
    throw new UsageError(`${path} holds a search for the organization's limit (load --find-limit): ${why}`)
}
