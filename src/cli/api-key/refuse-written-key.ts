// What a run folder is named and begins with must not hold the key: neither can be hidden there, as what comes after needs it.
import type { Manifest } from '../../domain/manifest.ts'
import { isWithout, type Secret } from '../../domain/secret.ts'
import { UsageError } from '../usage-error.ts'

interface Folder {
  /** Undefined where it stands already, with a name that was let through. */
  readonly path?: string
  readonly manifest: Manifest
}

/** Throws UsageError that names the place and the mend, and does not repeat the key. `apiKeyEnv`: where the key was. */
export function refuseWrittenKey(
  { path, manifest }: Folder,
  { key, apiKeyEnv }: { readonly key: Secret; readonly apiKeyEnv: string },
): void {
  const refuse = (where: string, mend: string): UsageError =>
    new UsageError(
      `the key in ${apiKeyEnv} stands in ${where}, and would be written into the run folder: ${mend}; nothing was sent or written`,
    )
  const { datasets, columns, warnings: _, ...rest } = manifest
  if (placeOf(datasets, key) !== undefined)
    throw refuse('the path of a question set', 'give the file, or its folder, another name')
  if (placeOf(columns, key) !== undefined)
    throw refuse('the name of a column of a question set', 'give the column another name')
  const place = placeOf(rest, key)
  if (place !== undefined)
    throw refuse(
      `what was said of this run (${place.join('.')}, as run.json keeps it)`,
      'write it otherwise, or leave it out',
    )
  // After what the folder may be named by.
  if (path !== undefined && !isWithout(path, key))
    throw refuse('the path of the run folder', 'name another folder with --out')
}

/** Names of the properties on the way to the first text with the key in it. */
function placeOf(value: unknown, key: Secret): string[] | undefined {
  if (typeof value === 'string') return isWithout(value, key) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    const place = placeOf(item, key)
    if (place !== undefined) return Array.isArray(value) ? place : [name, ...place]
  }
  return undefined
}
