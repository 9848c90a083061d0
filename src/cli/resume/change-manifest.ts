// The manifest of a run that goes on: as it was, but for what the resume says anew.
import type { Manifest } from '../../domain/manifest.ts'
import { regate } from '../regate.ts'
import { withBudget } from '../shard.ts'
import type { Target } from '../targets.ts'

/** `folder`: the run's. `isAnswered`: calls have counted toward the organization that the manifest names. */
export function changeManifest(
  manifest: Manifest,
  target: Target,
  folder: string,
  isAnswered: boolean,
): Manifest {
  const { settings, key, address, apiKeyEnv } = target
  const changed = settings.maxCalls === undefined ? manifest : withBudget(manifest, settings.maxCalls)
  const regated = regate(changed, settings, folder)
  const { options } = regated
  return {
    ...regated,
    state: 'running',
    endedAt: null,
    target: {
      ...manifest.target,
      baseUrl: address.baseUrl,
      organization:
        settings.organization ?? (isAnswered ? manifest.target.organization : target.organization),
      apiKeyEnv,
      keyFingerprint: key.fingerprint,
    },
    options: {
      ...options,
      rate: settings.rate ?? options.rate,
      share: settings.share ?? options.share,
      concurrency: settings.concurrency ?? options.concurrency,
      limiter: settings.limiter ?? options.limiter,
      giveUpAfterMs: settings.giveUpAfter ?? options.giveUpAfterMs,
      timeoutMs: settings.timeout ?? options.timeoutMs,
    },
  }
}
