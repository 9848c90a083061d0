// `run --resume DIR`: the runs in a folder, their targets again, and the sittings that go on with them.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../domain/manifest.ts'
import { parseBaseUrl } from '../endpoint/address.ts'
import type { Limiter } from '../pace/limiter.ts'
import { realClock } from './clock.ts'
import { readKey, type Environment } from './environment.ts'
import type { RunSettings } from './options/run-options.ts'
import { restoreRun } from './restore.ts'
import { readManifest, runFolder, type RunFolder } from './run-folder.ts'
import type { Sitting } from './sitting.ts'
import type { Target } from './targets.ts'
import { UsageError } from './usage-error.ts'

export interface RecordedRun {
  readonly folder: RunFolder
  readonly manifest: Manifest
}

/** The run in the folder, or those of its targets in the folders below it. */
export function findRuns(path: string): RecordedRun[] {
  const isRun = (folder: string): boolean => existsSync(runFolder(folder).manifest)
  const below = !isRun(path) && existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []
  const paths = isRun(path) ? [path] : below.filter(isRun).sort()
  if (paths.length === 0) throw new UsageError(`--resume ${path}: there is no run in this folder`)
  return paths.map((one) => ({ folder: runFolder(one), manifest: readManifest(runFolder(one)) }))
}

/** What a resume may say anew; everything else is as the run was started. */
const CHANGEABLE: ReadonlySet<string> = new Set([
  'resume',
  'rate',
  'startRate',
  'share',
  'concurrency',
  'maxCalls',
  'giveUpAfter',
  'timeout',
  'apiKeyEnv',
  'envFrom',
  'allowHttp',
  'json',
  'debug',
])

export function refuseChanges(typed: RunSettings): void {
  const fixed = Object.keys(typed).find((name) => !CHANGEABLE.has(name))
  if (fixed !== undefined)
    throw new UsageError(`--resume goes on as the run was started: ${fixed} cannot be given again`)
}

export function resumeTarget(manifest: Manifest, typed: RunSettings, environment: Environment): Target {
  const { target } = manifest
  // The run was allowed to send there when it started.
  const address = parseBaseUrl(target.baseUrl, true)
  if (address.kind === 'refused') throw new UsageError(`the run's base URL ${address.reason}`)
  const apiKeyEnv = typed.apiKeyEnv ?? target.apiKeyEnv
  const key = readKey(apiKeyEnv, environment)
  const settings = resumeSettings(manifest, typed)
  return {
    name: target.name,
    address,
    key,
    organization: target.organization,
    apiKeyEnv,
    settings,
    sandbox: false,
  }
}

/** As the run was started, but for what is said anew. */
export function resumeSettings({ options }: Manifest, typed: RunSettings): RunSettings {
  const { rate, startRate, share, concurrency } = options
  return { rate, share, concurrency, ...(startRate === null ? {} : { startRate }), ...typed }
}

export async function planResume(
  runs: readonly RecordedRun[],
  targets: readonly Target[],
  limiters: ReadonlyMap<string, Limiter>,
): Promise<Sitting[]> {
  return Promise.all(
    runs.map(async ({ folder, manifest }, place): Promise<Sitting> => {
      const target = targets[place]
      const limiter = target === undefined ? undefined : limiters.get(target.organization)
      if (target === undefined || limiter === undefined)
        throw new Error(`run ${manifest.runId} has no target`)
      const restored = await restoreRun(folder, manifest, realClock.wall())
      return {
        target,
        folder,
        manifest: withChanges(manifest, target),
        limiter,
        ...restored,
        before: restored,
      }
    }),
  )
}

function withChanges(manifest: Manifest, { settings, key, address, apiKeyEnv }: Target): Manifest {
  const { options, target } = manifest
  return {
    ...manifest,
    state: 'running',
    endedAt: null,
    target: { ...target, baseUrl: address.baseUrl, apiKeyEnv, keyFingerprint: key.fingerprint },
    options: {
      ...options,
      rate: settings.rate ?? options.rate,
      startRate: settings.startRate ?? options.startRate,
      share: settings.share ?? options.share,
      concurrency: settings.concurrency ?? options.concurrency,
      maxCalls: settings.maxCalls ?? options.maxCalls,
      giveUpAfterMs: settings.giveUpAfter ?? options.giveUpAfterMs,
      timeoutMs: settings.timeout ?? options.timeoutMs,
    },
  }
}
