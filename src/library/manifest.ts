// Makes the manifest of a run, and applies options that a resume or a report may change.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Manifest, recordedOptions } from '../options/manifest.ts'
import type { Quota } from '../domain/quota.ts'
import { maskText, maskValue } from '../domain/secret.ts'
import { partOfBudget } from '../domain/shard.ts'
import type { OpenedSet } from './question-sets.ts'
import { describeValue, optionNames, type RunSettings } from '../options/settings.ts'
import { isRun, relativePath } from '../store/folder.ts'
import { VERSION } from './shipped.ts'
import type { Target } from './targets.ts'
import { asTyped } from '../options/faults.ts'

/** `folder`: the run folder; paths in the manifest are relative to it. */
export function createManifest(
  target: Target,
  folder: string,
  { set, turns, shard }: Pick<OpenedSet, 'set' | 'turns' | 'shard'>,
  at: Date,
): Manifest {
  const { settings, address, key, organization, apiKeyEnv, name, sandbox, knowledgeBase } = target
  const manifest: Manifest = {
    formatVersion: 1,
    harnessVersion: VERSION,
    runId: randomBytes(6).toString('hex'),
    target: {
      name,
      baseUrl: address.baseUrl,
      organization,
      apiKeyEnv,
      keyFingerprint: key.fingerprint,
      sandbox,
      ...(knowledgeBase === undefined ? {} : { knowledgeBase: relativePath(folder, knowledgeBase) }),
    },
    datasets: set.files.map(({ path, digest, delimiter }, file) => ({
      path: basename(path),
      source: relativePath(folder, path),
      digest,
      delimiter,
      turns: turns.filter(({ question }) => question.file === file).length,
    })),
    columns: [...set.columns],
    options: recordedOptions.parse({ ...recordedForm(settings, folder, name), maxCalls: null }),
    load: null,
    ...(shard === undefined ? {} : { shard }),
    startedAt: at.toISOString(),
    endedAt: null,
    state: 'running',
    // They may quote a cell.
    warnings: set.warnings.map((warning) => maskText(warning, key)),
  }
  return maskValue(withBudget(manifest, settings.maxCalls ?? null), key) as Manifest
}

/** `--quota` is for a month. */
export const quotaOf = (quota: number | undefined, recorded: Quota | null): Quota | null =>
  quota === undefined ? recorded : { calls: quota, period: 'month' }

const SENT = optionNames(({ phase }) => phase === 'ask')

/** The options that decide what is sent, as typed. */
export const sentOptions = ({ options }: Manifest): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (SENT.has(name) ? [[asTyped(name), value]] : [])),
  )

/** What differs between two descriptions of what is sent: entries of `other` that `one` has with another value. Values are texts for messages. */
export const differencesBetween = (
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
) =>
  Object.keys(other)
    .map((name) => ({ name, one: describeValue(one[name]), other: describeValue(other[name]) }))
    .filter((value) => value.one !== value.other)

/** `maxCalls`: of the whole run, also for a shard; null for no limit. */
export function withBudget(manifest: Manifest, maxCalls: number | null): Manifest {
  const { shard, options } = manifest
  const own = maxCalls === null || shard === undefined ? maxCalls : partOfBudget(maxCalls, shard)
  return { ...manifest, options: { ...options, maxCalls: own } }
}

/** The manifest with new values for options of these phases. */
export function withOptions(
  manifest: Manifest,
  settings: RunSettings,
  folder: string,
  phases: readonly ('pace' | 'judge')[],
): Manifest {
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

/** In the form of the manifest: the quota with its period, and a baseline that exists, relative to the run folder. */
const recordedForm = ({ quota, baseline, ...settings }: RunSettings, folder: string, target: string) => ({
  ...settings,
  ...(quota === undefined ? {} : { quota: quotaOf(quota, null) }),
  ...(baseline === undefined || !existsSync(baseline)
    ? {}
    : { baseline: relativePath(folder, baselineFolder(baseline, target)) }),
})

/** With several targets, each has its own baseline in a folder named after it. */
export function baselineFolder(baseline: string, target: string): string {
  const own = join(baseline, target)
  return !isRun(baseline) && isRun(own) ? own : baseline
}

/** With `--excel`, the separator of the run's question set: the reader's Excel opens that one. */
export const excelSeparator = (
  excel: boolean | undefined,
  manifest: Pick<Manifest, 'datasets'> | undefined,
): string | undefined => (excel === true ? manifest?.datasets[0]?.delimiter || ',' : undefined)
