// What a resume may say anew, and what it must leave as the run was started.
import type { Manifest } from '../../domain/manifest.ts'
import { parseBaseUrl } from '../../endpoint/address.ts'
import type { RunSettings } from '../options/run-options.ts'
import { UsageError } from '../usage-error.ts'

type SettingName = keyof RunSettings

/** How the run goes on, not what it asks or what an answer means. */
const CHANGEABLE: ReadonlySet<string> = new Set<SettingName>([
  'resume',
  'retryErrors',
  'rate',
  'share',
  'concurrency',
  'limiter',
  'maxCalls',
  'quota',
  'giveUpAfter',
  'timeout',
  'onAmbiguous',
  'threshold',
  'passPolicy',
  'baseline',
  'failOn',
  'alpha',
  'margin',
  'minOverlap',
  'reviews',
  'excel',
  'apiKeyEnv',
  'config',
  'allowHttp',
  'json',
  'debug',
])

/** What the run was started with, under the names of the options. */
function startedWith({ target, options, shard }: Manifest): Partial<Record<SettingName, unknown>> {
  const { selection } = options
  return {
    baseUrl: target.baseUrl,
    target: [target.name],
    organization: target.organization,
    sandbox: target.sandbox,
    repeat: options.repeat,
    format: options.format ?? undefined,
    tag: selection.tags,
    grep: selection.grep ?? undefined,
    sample: selection.sample ?? undefined,
    seed: selection.seed,
    shard: shard === undefined ? undefined : `${shard.index}/${shard.of}`,
    groundedSources: options.groundedSources,
    rotatingIds: options.rotatingIds,
    hashEndUserRefs: options.hashEndUserRefs,
  }
}

/** Throws UsageError with the difference where an option that matters is given again and is another. */
export function refuseOtherOptions(typed: RunSettings, manifest: Manifest): void {
  const was = startedWith(manifest)
  for (const [name, given] of Object.entries(typed) as [SettingName, unknown][]) {
    if (CHANGEABLE.has(name)) continue
    const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (!(name in was))
      throw new UsageError(`--resume goes on as the run was started: ${option} cannot be given again`)
    if (say(normalise(name, given)) !== say(was[name]))
      throw new UsageError(
        `--resume goes on as the run was started: ${option} was ${say(was[name])}, not ${say(given)}; start a new run for that`,
      )
  }
}

/** A base URL in the way the manifest has it. */
function normalise(name: SettingName, given: unknown): unknown {
  if (name !== 'baseUrl' || typeof given !== 'string') return given
  const address = parseBaseUrl(given, true)
  return address.kind === 'address' ? address.baseUrl : given
}

function say(value: unknown): string {
  if (value === undefined) return 'not given'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
