// The options that a manifest records, and new values for those that may change.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { partOfBudget } from '../domain/shard.ts'
import { type Manifest, quotaOf, type RecordedOptions, recordedOptions } from '../options/manifest.ts'
import { optionNames, type RunSettings } from '../options/settings.ts'
import { isRun, relativePath } from './folder.ts'

/** The options of a new run, without a budget; paths relative to the run folder. */
export const recordOptions = (settings: RunSettings, folder: string, target: string): RecordedOptions =>
  recordedOptions.parse({ ...recordedForm(settings, folder, target), maxCalls: null })

/** `maxCalls` counts for the whole run, also in a shard; null for no limit. */
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

/**
 * A baseline that is not there takes the place of the recorded one, too: the user was told that nothing is
 * compared.
 */
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

/** In a manifest, paths are relative to the run folder. */
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

/** With several targets, each has its own baseline in a folder named after it. */
export function baselineFolder(baseline: string, target: string): string {
  const ofTarget = join(baseline, target)
  return !isRun(baseline) && isRun(ofTarget) ? ofTarget : baseline
}
