// A recorded run judged by what is said now, and by what was recorded where nothing is.
import type { Manifest } from '../domain/manifest.ts'
import { recordBaseline } from './comparing/baseline.ts'
import type { RunSettings } from '../library/read-options.ts'
import { quotaFrom } from './quota.ts'

/** `folder`: the run's. */
export function regate(manifest: Manifest, settings: RunSettings, folder: string): Manifest {
  const { options } = manifest
  const { gates } = options
  return {
    ...manifest,
    options: {
      ...options,
      groundedSources: settings.groundedSources ?? options.groundedSources,
      quota: quotaFrom(settings, options.quota),
      comparison: recordBaseline(options.comparison, settings, folder, manifest.target.name),
      gates: {
        thresholds: settings.threshold ?? gates.thresholds,
        passPolicy: settings.passPolicy ?? gates.passPolicy,
      },
    },
  }
}
