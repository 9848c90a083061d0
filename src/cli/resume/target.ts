// Whom a resumed run asks: the desk of its manifest, with the key that the environment holds now.
import type { Manifest } from '../../domain/manifest.ts'
import { organizationUnder } from '../../domain/organization.ts'
import { parseBaseUrl } from '../../endpoint/address.ts'
import type { Config } from '../config.ts'
import { readKey, type Environment } from '../environment.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { say } from '../output.ts'
import type { Target } from '../targets.ts'
import { UsageError } from '../../library/usage-error.ts'

/** Throws UsageError where the key may belong to another desk than the run's. */
export function resumeTarget(
  manifest: Manifest,
  typed: RunSettings,
  config: Config,
  environment: Environment,
): Target {
  const { target } = manifest
  // The run was allowed to send there when it started.
  const address = parseBaseUrl(target.baseUrl, true)
  if (address.kind === 'refused') throw new UsageError(`the run's base URL ${address.reason}`)
  const now = typed.baseUrl ?? config.targets.get(target.name)?.baseUrl
  refuseOtherDesk(target.baseUrl, now, `target ${target.name}`)
  const apiKeyEnv = typed.apiKeyEnv ?? target.apiKeyEnv
  const key = readKey(apiKeyEnv, environment)
  if (key.fingerprint !== target.keyFingerprint) {
    // Another desk's key must not go to this one.
    if (now === undefined) refuseOtherDesk(target.baseUrl, environment['ASSIST_BASE_URL'], 'ASSIST_BASE_URL')
    say(
      `Note: the key in ${apiKeyEnv} is another one than before (${key.fingerprint}, was ${target.keyFingerprint}); ` +
        `it must be of the same organization`,
    )
  }
  return {
    name: target.name,
    address,
    key,
    organization: typed.organization ?? organizationUnder(target, key.fingerprint),
    apiKeyEnv,
    settings: resumeSettings(manifest, typed),
    sandbox: false,
  }
}

function refuseOtherDesk(was: string, now: string | undefined, where: string): void {
  if (now === undefined || now.trim() === '') return
  const address = parseBaseUrl(now, true)
  if (address.kind === 'address' && address.baseUrl === was) return
  throw new UsageError(
    `the run asks ${was}, but ${where} is ${address.kind === 'address' ? address.baseUrl : 'another'} now: ` +
      `put it back, or start a new run; --base-url ${was} says that the key is right`,
  )
}

/** As the run was started, but for what is said anew. */
export function resumeSettings({ options }: Manifest, typed: RunSettings): RunSettings {
  const { rate, share, concurrency, limiter } = options
  return { rate, share, concurrency, limiter, ...typed }
}
