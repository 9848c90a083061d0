// What a resume may say anew, and what it must leave as the run was started.
import type { Manifest } from '../../domain/manifest.ts'
import { parseBaseUrl } from '../../endpoint/address.ts'
import { asTyped, optionsByKey, type RunSettings } from '../../library/read-options.ts'
import { UsageError } from '../../library/usage-error.ts'

type SettingName = keyof RunSettings

/** What the run was started with, under the names of the options. */
function startedWith({ target, options, shard }: Manifest): Partial<Record<SettingName, unknown>> {
  const { selection } = options
  return {
    baseUrl: target.baseUrl,
    target: [target.name],
    sandbox: target.sandbox,
    repeat: options.repeat,
    format: options.format ?? undefined,
    tag: selection.tags,
    grep: selection.grep ?? undefined,
    sample: selection.sample ?? undefined,
    seed: selection.seed,
    shard: shard === undefined ? undefined : `${shard.index}/${shard.of}`,
    onAmbiguous: options.onAmbiguous,
    rotatingIds: options.rotatingIds,
    hashEndUserRefs: options.hashEndUserRefs,
  }
}

/** What is sent is fixed for the life of a run; without a record of it, an option of that phase can only be refused. */
const FIXED = optionsByKey(({ phase }, name) => phase === 'ask' && name !== 'allow-http')
/** Where a run is written is no part of its record, and is fixed all the same. */
const OUT: SettingName = 'out'

/** Throws UsageError with the difference where what is sent is given again and is another. */
export function refuseOtherOptions(typed: RunSettings, manifest: Manifest): void {
  const was = startedWith(manifest)
  for (const [name, given] of Object.entries(typed) as [SettingName, unknown][]) {
    if (!FIXED.has(name) && name !== OUT) continue
    const option = asTyped(name)
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
