// The options that a manifest records, and new values for those that may change.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { partOfBudget } from '../domain/shard.ts'
import { type Manifest, quotaOf, type RecordedOptions, recordedOptions } from '../options/manifest.ts'
import { optionNames, type RunSettings } from '../options/settings.ts'
import { isRun, relativePath } from './folder.ts'

/**
 * The options of a new run, without a budget. `folder`: the run folder; paths in the manifest are relative to
 * it.
 */
export const recordOptions = (settings: RunSettings, folder: string, target: string): RecordedOptions =>
  recordedOptions.parse({ ...recordedForm(settings, folder, target), maxCalls: null })

/** `maxCalls`: of the whole run, also for a shard; null for no limit. */
export function withBudget<M extends Manifest>(manifest: M, maxCalls: number | null): M {
  const { shard, options } = manifest
  const own = maxCalls === null || shard === undefined ? maxCalls : partOfBudget(maxCalls, shard)
  return { ...manifest, options: { ...options, maxCalls: own } }
}

/** The manifest with new values for options of these phases. */
export function withOptions<M extends Manifest>(
  manifest: M,
  settings: RunSettings,
  folder: string,
  phases: readonly ('pace' | 'judge')[],
): M {
  const mayChange = optionNames(({ phase }) => phases.some((one) => one === phase))
  const { maxCalls, ...said } = Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => mayChange.has(name) && value !== undefined),
  ) as RunSettings
  const options = recordedOptions.parse({
    ...manifest.options,
    ...recordedForm(said, folder, manifest.target.name),
  })
  const changed = { ...manifest, options }
  return maxCalls === undefined ? changed : withBudget(changed, maxCalls)
}

/**
 * In the form of the manifest: the quota with its period; files and the baseline relative to the
 * run folder. A baseline that is not there takes the place of the recorded one, too: the user was told that
 * nothing is compared.
 */
const recordedForm = (
  { quota, baseline, articles, synonyms, decisions, clientCert, clientKey, ...settings }: RunSettings,
  folder: string,
  target: string,
) => ({
  ...settings,
  ...(articles === undefined ? {} : { articles: relativePath(folder, articles) }),
  ...(synonyms === undefined ? {} : { synonyms: relativePath(folder, synonyms) }),
  ...(decisions === undefined ? {} : { decisions: relativePath(folder, decisions) }),
  ...(clientCert === undefined ? {} : { clientCert: relativePath(folder, clientCert) }),
  ...(clientKey === undefined ? {} : { clientKey: relativePath(folder, clientKey) }),
  ...(quota === undefined ? {} : { quota: quotaOf(quota, null) }),
  ...(baseline === undefined
    ? {}
    : { baseline: existsSync(baseline) ? relativePath(folder, baselineFolder(baseline, target)) : null }),
})

/** With several targets, each has its own baseline in a folder named after it. */
export function baselineFolder(baseline: string, target: string): string {
  const own = join(baseline, target)
  return !isRun(baseline) && isRun(own) ? own : baseline
}
